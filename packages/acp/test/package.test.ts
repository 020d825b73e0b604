/** What others get: the package, packed and installed, as plain JavaScript. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import {
  emptyProject,
  npmInstall,
  offline,
  pack,
  type Packed,
  projectOfReadme,
  removeFolders,
  run
} from "./InstalledPackage.ts"
import { node22 } from "./PlainNode.ts"

// Everything here starts programs that compile or install: a busy machine takes its time for that.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const require = createRequire(import.meta.url)
const publicModules = readdirSync(join(import.meta.dirname, "../src"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .sort()
const specifiers = publicModules.map((name) => (name === "index" ? "@signalbox/acp" : `@signalbox/acp/${name}`))

/** A program that is among the dependencies of this repository. */
const program = (name: string) => join(import.meta.dirname, "../../../node_modules/.bin", name)

let packed: Packed

beforeAll(async () => {
  packed = await pack()
})
afterAll(removeFolders)

describe("the packed package", () => {
  it("holds JavaScript and types, its documents and its licence, and nothing else", () => {
    assert.deepStrictEqual(readdirSync(packed.folder).sort(), [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "lib",
      "package.json"
    ])
    const files = readdirSync(join(packed.folder, "lib"), { recursive: true, withFileTypes: true })
    const others = files.filter((file) => file.isFile() && !/\.(?:js|d\.ts)$/.test(file.name))
    assert.deepStrictEqual(others, [])
  })

  it("can be published, needs effect as a peer, and brings nothing", () => {
    const manifest = JSON.parse(readFileSync(join(packed.folder, "package.json"), "utf8"))
    assert.isUndefined(manifest.private)
    assert.isUndefined(manifest.scripts)
    assert.isUndefined(manifest.dependencies)
    const { version } = JSON.parse(readFileSync(require.resolve("effect/package.json"), "utf8"))
    assert.deepStrictEqual(manifest.peerDependencies, { effect: `^${version}` })
  })

  it("is what publint asks for", async () => {
    const outcome = await run(process.execPath, [program("publint"), packed.folder, "--strict"], packed.folder)
    assert.strictEqual(outcome.code, 0, outcome.stdout + outcome.stderr)
  })

  it("has types that fit its modules, for arethetypeswrong", async () => {
    // The package has ES modules only: Node's require and bundlers load them, resolution as in Node 10 knows no exports.
    const args = [program("attw"), packed.tarball, "--profile", "esm-only", "--format", "json"]
    const outcome = await run(process.execPath, args, packed.folder)
    assert.strictEqual(outcome.code, 0, outcome.stdout + outcome.stderr)
    const { analysis } = JSON.parse(outcome.stdout)
    const [first, ...rest] = specifiers.toSorted((one, other) => one.length - other.length)
    assert.strictEqual(first, "@signalbox/acp")
    assert.includeMembers(
      Object.keys(analysis.entrypoints),
      [".", ...rest.map((specifier) => specifier.replace("@signalbox/acp", "."))],
      "every public module was looked at"
    )
  })
})

describe("installed into an empty project", () => {
  let installed: Awaited<ReturnType<typeof projectOfReadme>>
  beforeAll(async () => {
    installed = await projectOfReadme(packed)
  })

  const clientWithAgent = (node: string, folder: string) => run(node, ["client.mjs", node, "agent.mjs"], folder)
  const conductor = fileURLToPath(new URL("./fixtures/conductor.mjs", import.meta.url))
  const clientWithProxy = (folder: string) =>
    run(process.execPath, ["client.mjs", process.execPath, conductor, "proxy.mjs", "agent.mjs"], folder)
  const greeting = '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Good morning!"}}\n'
  const conversation = '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}}\nend_turn\n'
  const loading = `for (const name of ${JSON.stringify(specifiers)}) await import(name); console.log("all")`

  it("runs the README's client and agent", async ({ skip }) => {
    if (typeof installed === "string") return skip(installed)
    const outcome = await clientWithAgent(process.execPath, installed.folder)
    assert.strictEqual(outcome.stdout, conversation, outcome.stderr)
  })

  it("runs the README's proxy between its client and its agent", async ({ skip }) => {
    if (typeof installed === "string") return skip(installed)
    const outcome = await clientWithProxy(installed.folder)
    assert.strictEqual(outcome.stdout, `${greeting}${conversation}`, outcome.stderr)
  })

  it("runs the README's client and agent, and every module, on plain Node 22", async ({ skip }) => {
    if (typeof installed === "string") return skip(installed)
    const node = await node22()
    if (typeof node === "string") return skip(node)
    assert.match((await run(node.path, ["--version"], installed.folder)).stdout, /^v22\./)
    const outcome = await clientWithAgent(node.path, installed.folder)
    assert.strictEqual(outcome.stdout, conversation, outcome.stderr)
    const loaded = await run(node.path, ["--input-type=module", "--eval", loading], installed.folder)
    assert.strictEqual(loaded.stdout, "all\n", loaded.stderr)
  })

  it("has types for every module", async ({ skip }) => {
    if (typeof installed === "string") return skip(installed)
    const imports = specifiers.map((name, index) => `import * as module${index} from "${name}"\n`).join("")
    const uses = `export const modules = [${specifiers.map((_, index) => `module${index}`).join(", ")}]\n`
    writeFileSync(join(installed.folder, "modules.mts"), `${imports}${uses}`)
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"]
    const outcome = await run(
      process.execPath,
      [join(require.resolve("typescript/package.json"), "../bin/tsc"), ...options, "modules.mts"],
      installed.folder
    )
    assert.strictEqual(outcome.code, 0, outcome.stdout + outcome.stderr)
  })

  it("refuses what is internal", async ({ skip }) => {
    if (typeof installed === "string") return skip(installed)
    for (const name of [
      "internal/rpc/JsonRpc",
      "lib/AcpClient.js",
      "lib/internal/rpc/JsonRpc.js",
      "src/AcpClient.ts"
    ]) {
      const outcome = await run(process.execPath, ["--eval", `import("@signalbox/acp/${name}")`], installed.folder)
      assert.match(outcome.stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/, name)
    }
  })
})

describe("installed without its peer", () => {
  it("names effect as what is missing", async () => {
    const folder = emptyProject("without peer")
    const installed = await npmInstall(folder, "--legacy-peer-deps", packed.tarball)
    assert.strictEqual(installed.code, 0, installed.stderr)
    const outcome = await run(process.execPath, ["--eval", 'import("@signalbox/acp/AcpClient")'], folder)
    assert.match(outcome.stderr, /Cannot find package 'effect' imported from .*@signalbox\/acp\/lib/)
  })

  it("is refused by npm where another effect is installed", async ({ skip }) => {
    const folder = emptyProject("other peer")
    const other = join(folder, "effect")
    mkdirSync(other)
    writeFileSync(join(other, "package.json"), '{ "name": "effect", "version": "3.0.0" }')
    const before = await npmInstall(folder, "./effect")
    assert.strictEqual(before.code, 0, before.stderr)
    const outcome = await npmInstall(folder, packed.tarball)
    const refusal = /ERESOLVE[^]*peer effect@"\^4\.1\.0" from @signalbox\/acp@/
    const isRefused = outcome.code !== 0 && refusal.test(outcome.stderr)
    const reason = isRefused ? undefined : await offline(folder)
    if (reason !== undefined) return skip(reason)
    assert.isTrue(isRefused, outcome.stderr)
  })
})

describe("the folder of the sources", () => {
  it("is not packed by mistake", async () => {
    const outcome = await run("npm", ["pack", "--dry-run"], join(import.meta.dirname, ".."))
    assert.notStrictEqual(outcome.code, 0)
    assert.include(outcome.stderr, "This folder exports its sources. Run: npm run build && npm pack ./dist")
  })
})
