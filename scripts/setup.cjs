// Runs before every npm script, on whatever Node the machine happens to have, so it stays within what Node 18
// understands. Installs the locked dependencies, among them the Node 24 that runs everything else.
"use strict"
const { execSync } = require("node:child_process")
const { createHash } = require("node:crypto")
const fs = require("node:fs")
const path = require("node:path")

const root = path.join(__dirname, "..")
const stampFile = path.join(root, "node_modules", ".setup-stamp")
const lockfile = fs.readFileSync(path.join(root, "package-lock.json"))
const stamp = `${createHash("sha256").update(lockfile).digest("hex")} ${process.platform}-${process.arch}`

const isCurrent = () => {
  try {
    return fs.readFileSync(stampFile, "utf8") === stamp
  } catch {
    return false
  }
}

if (!isCurrent()) {
  console.error("Installing dependencies (once)…")
  // Not `npm ci`: registries may lack optional packages of other platforms, and `ci` then calls the lockfile out of sync.
  execSync("npm install --no-save --no-audit --no-fund --loglevel=error", { cwd: root, stdio: ["ignore", 2, 2] })
  fs.writeFileSync(stampFile, stamp)
}
