// Which file the command line runs: the bundle that `npm start` makes, which is there in half the time, or the sources, where
// anything that the bundle is made of is newer. Stays within what Node 18 understands.
"use strict"
const fs = require("node:fs")
const path = require("node:path")

/**
 * The sources of the bundle, below the repository. A folder counts with all its content; its own time shows removals.
 */
const inputs = ["package-lock.json", "apps/server/vite.config.ts", "apps/server/src", "apps/server/registry"]

/** Undefined for what can't be looked at. Links are not followed: they may lead round in circles. */
const look = (file) => {
  try {
    return fs.lstatSync(file)
  } catch {
    return undefined
  }
}

const isNewer = (file, than) => {
  const found = look(file)
  if (found === undefined) return false
  if (found.mtimeMs > than) return true
  return found.isDirectory() && fs.readdirSync(file).some((name) => isNewer(path.join(file, name), than))
}

const packagesIn = (root) => {
  const folder = path.join(root, "packages")
  return fs.readdirSync(folder).map((name) => path.join(folder, name, "src"))
}

const bundleIn = (root) => path.join(root, "apps", "server", "dist", "bin.js")

/**
 * Notes that the bundle was that of the sources at this time. Turbo compares content, and leaves a bundle alone that has not changed. The
 * sources may be newer all the same: git writes files again when it changes branches.
 */
exports.confirm = (root, at) => {
  const bundle = bundleIn(root)
  if (fs.statSync(bundle).mtime < at) fs.utimesSync(bundle, at, at)
}

/** The absolute path of the file to run in the repository at `root`. */
exports.entryIn = (root) => {
  const sources = path.join(root, "apps", "server", "src", "bin.ts")
  const dist = path.join(root, "apps", "server", "dist")
  const bundle = bundleIn(root)
  const built = look(bundle)
  // The build writes this last: a bundle without it is one that was not written to its end.
  if (built === undefined || !built.isFile() || look(path.join(dist, "complete")) === undefined) return sources
  const made = [...inputs.map((input) => path.join(root, input)), ...packagesIn(root)]
  return made.some((input) => isNewer(input, built.mtimeMs)) ? sources : bundle
}
