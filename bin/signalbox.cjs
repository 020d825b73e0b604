#!/usr/bin/env node
// The launcher of the repository: works under any Node >= 18 and hands over to the repository's own Node 24.
// It answers `--version` itself, so that scripts can ask often. The package has a launcher of its own, `scripts/package/signalbox.cjs`.
"use strict"
const { spawn } = require("child_process")
const path = require("path")

const root = path.join(__dirname, "..")
const args = process.argv.slice(2)

if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  console.log(require("../package.json").version)
  process.exit(0)
}

require("../scripts/setup.cjs")

const node = require("../scripts/node.cjs").nodeIn(root)
const child = spawn(
  node,
  [require("../scripts/entry.cjs").entryIn(root)].concat(args),
  // SIGNALBOX_LAUNCHED: on a terminal Ctrl-C reaches the child twice, directly and through us; it then counts as one.
  { stdio: "inherit", env: Object.assign({}, process.env, { SIGNALBOX_LAUNCHED: "1" }) }
)
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("error", (error) => {
  console.error(`signalbox: could not start ${node}: ${error.message}`)
  process.exit(1)
})
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  } else process.exit(code === null ? 1 : code)
})
