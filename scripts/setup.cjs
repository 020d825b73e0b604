// Runs before every npm script, on whatever Node the machine happens to have, so it stays within what old versions
// understand. Installs the locked dependencies, among them the Node 24 that runs everything else.
"use strict"
const { spawnSync } = require("child_process")
const { createHash } = require("crypto")
const fs = require("fs")
const path = require("path")
const { nodeIn, refusal } = require("./node.cjs")

const root = path.join(__dirname, "..")
const stampFile = path.join(root, "node_modules", ".setup-stamp")

const end = (sentence, code) => {
  console.error(sentence)
  process.exit(code)
}

const readLockfile = () => {
  try {
    return fs.readFileSync(path.join(root, "package-lock.json"))
  } catch (error) {
    return end(
      `${root} is no whole copy of Signalbox's repository: its package-lock.json can't be read (${error.code}). Clone the repository again, or install the package that \`npm run pack\` makes.`,
      1
    )
  }
}

const lockfile = readLockfile()
const stamp = `${createHash("sha256").update(lockfile).digest("hex")} ${process.platform}-${process.arch}`

const isCurrent = () => {
  try {
    return fs.readFileSync(stampFile, "utf8") === stamp
  } catch {
    return false
  }
}

const isOurs = () => {
  try {
    return JSON.parse(lockfile.toString()).name === "signalbox"
  } catch {
    return false
  }
}

/** Why npm failed and what to do, by the code that it prints. For want of a right, `reasonIn` names the path, too. */
const reasons = [
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/,
    "npm did not reach its registry. Connect to the network, or set npm's `registry` or `proxy`"
  ],
  [/\bENOSPC\b/, "the disk is full. Make room on it"]
]

const mayWrite = () => {
  try {
    fs.accessSync(root, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Why npm failed and what to do. On a disk that can't be written to it only says that a file is missing. */
const reasonIn = (stderr) => {
  if (!mayWrite() || /\b(EACCES|EPERM|EROFS)\b/.test(stderr)) {
    const [, named] = /^npm (?:error|ERR!) path (.+)$/m.exec(stderr) || []
    return `npm may not write to ${(mayWrite() && named) || root}. Give yourself the right to do so`
  }
  const known = reasons.find(([codes]) => codes.test(stderr))
  return known === undefined ? "npm has said above why. Mend that" : known[1]
}

const writeStamp = () => {
  try {
    fs.writeFileSync(stampFile, stamp)
  } catch (error) {
    end(
      `Signalbox's dependencies are installed, but ${stampFile} can't be written (${error.code}). Mend that, then run the same command again.`,
      1
    )
  }
}

const install = () => {
  if (!isOurs()) {
    end(
      `The package-lock.json in ${root} is not Signalbox's. Bring it back with \`git checkout package-lock.json\`, then run the same command again.`,
      1
    )
  }
  console.error("Installing dependencies (once)…")
  // Not `npm ci`: registries may lack optional packages of other platforms, and `ci` then calls the lockfile out of sync.
  // With a prefix, for npm else installs into a folder above whose package.json counts this one among its workspaces.
  const { status, stderr } = spawnSync("npm install --prefix=. --no-save --no-audit --no-fund --loglevel=error", {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: true,
    stdio: ["ignore", 2, "pipe"]
  })
  if (status === 0) {
    process.stderr.write(stderr)
    return writeStamp()
  }
  if (status === 127) end("Signalbox needs npm, and there is none in PATH. It comes with Node: https://nodejs.org", 1)
  end(`${stderr}\nSignalbox's dependencies are not installed: ${reasonIn(stderr)}, then run the same command again.`, 1)
}

if (!isCurrent()) install()
if (nodeIn(root) === undefined) end(refusal(), 2)
