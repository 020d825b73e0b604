/** The package that `npm run pack` makes, installed into a project of somebody else's and used there. Nothing of it needs the network. */
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { Worker } from "node:worker_threads"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { asNode, call, type Options, start } from "./support/Program.ts"

const repository = join(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "signalbox-pack-"))
const project = join(folder, "a project with spaces")
const temporary = join(folder, "temporary")
const installed = join(project, "node_modules", "signalbox")
const { version }: { readonly version: string } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"))

/** A person's environment: without what npm and the tests have put into ours. */
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^VITEST/i.test(name))),
  HOME: folder,
  XDG_CACHE_HOME: join(folder, "cache"),
  SIGNALBOX_STATE_DIR: join(folder, "state"),
  TMPDIR: temporary,
  FAKE_CURSOR_TIME_SCALE: "0",
  npm_config_cache: join(folder, "npm")
}
const here: Options = { cwd: project, env }

const succeed = async (command: string, args: ReadonlyArray<string>, options: Options = here): Promise<string> => {
  const { code, stderr, stdout } = await call(command, args, options)
  assert.strictEqual(code, 0, `${command} ${args.join(" ")}\n${stdout}\n${stderr}`)
  return stdout
}

const launcher = join(installed, "bin", "signalbox.cjs")

/** Calls the launcher as npm would, in a third of the time. */
const signalbox = (...args: ReadonlyArray<string>) => succeed(process.execPath, [launcher, ...args])

/** Prints each module that another one imports: who imports it, and what. A program runs it before its own modules. */
const imports = `data:text/javascript,${encodeURIComponent(`import { registerHooks } from "node:module"
registerHooks({
  resolve: (name, context, next) => {
    const found = next(name, context)
    const way = context.conditions?.includes("require") ? "REQUIRE " : "IMPORT "
    console.error(way + JSON.stringify([context.parentURL ?? "", found.url]))
    return found
  }
})`)}`

/** The big files of the bundle, in their order in `apps/server/vite.config.ts`. */
const parts = ["player", "start", "compiler", "agent", "cli", "rules", "client", "run", "serve"]

/** Every file of the project, what npm has installed included, with its content. */
const files = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => {
        const file = join(parentPath, name)
        return [relative(project, file), createHash("sha256").update(readFileSync(file)).digest("hex")]
      })
  )

/** The manifest of another project: its name begins like ours, and its lockfile knows nothing of us. */
const foreign = { name: "signalbox-user", version: "9.9.9", private: true, scripts: { start: "exit 1" } }

beforeAll(async () => {
  mkdirSync(project)
  mkdirSync(temporary)
  writeFileSync(join(project, "package.json"), JSON.stringify(foreign))
  const lock = { name: foreign.name, version: foreign.version, lockfileVersion: 3, requires: true }
  writeFileSync(join(project, "package-lock.json"), JSON.stringify({ ...lock, packages: { "": foreign } }))
  await succeed(process.execPath, [join(repository, "scripts", "pack.mjs"), "--out", folder], { cwd: folder, env })
  // What it needs beside it comes from the repository and not from the network.
  const undici = await succeed(
    "npm",
    ["pack", "--silent", "--ignore-scripts", join(repository, "node_modules", "undici")],
    { cwd: folder, env }
  )
  const tarballs = [undici.trim(), `signalbox-${version}.tgz`].map((file) => join(folder, file))
  await succeed("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the package", () => {
  it("is small, names its Node, and pins what it needs beside it", () => {
    const manifest: {
      readonly engines: object
      readonly dependencies: Record<string, string>
      readonly optionalDependencies: Record<string, string>
    } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
    assert.deepStrictEqual(manifest.engines, { node: ">=24" })
    assert.deepStrictEqual(Object.keys(manifest.dependencies), ["undici"])
    assert.deepStrictEqual(Object.keys(manifest.optionalDependencies), ["@lydell/node-pty"])
    for (const range of Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      assert.match(range, /^\d+\.\d+\.\d+$/)
    assert.isBelow(statSync(join(folder, `signalbox-${version}.tgz`)).size, 1_800_000)
  })

  it("holds the licences of all that is bundled, and nothing that Node can't run in node_modules", () => {
    for (const part of ["server", "page"])
      assert.match(readFileSync(join(installed, part, "licenses.md"), "utf8"), /MIT/)
    for (const file of ["LICENSE", "README.md"]) assert.isTrue(existsSync(join(installed, file)))
    const sources = readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.[mc]?tsx?$/.test(file)
    )
    assert.deepStrictEqual(sources, [])
  })
})

describe("installed beside a foreign package.json and lockfile", () => {
  it("says its own version to npx", async () => {
    assert.strictEqual(await succeed("npx", ["--offline", "signalbox", "--version"]), `${version}\n`)
  })

  it("runs the agents of a first run, plays a tape, and leaves the project as it was", async () => {
    const before = files()
    assert.match(await signalbox("run", "--provider", "eliza", "Hello"), /How are you feeling today/)
    assert.match(await signalbox("run", "--provider", "signalbox-nes", "Hello"), /I suggest the next edit/)
    assert.match(await signalbox("run", "--provider", "scripted", "Said again."), /^Said again\.$/m)
    assert.match(await signalbox("run", "--provider", "cursor-simulated", "Anybody there?"), /Anybody there\?/)
    const tape = join(repository, "apps", "server", "test", "tape", "tapes", "stopped.ndjson")
    assert.notStrictEqual(await signalbox("replay", tape), "")
    assert.match(await signalbox("agents", "registry"), /gemini/i)
    assert.deepStrictEqual(files(), before)
    assert.isTrue(existsSync(join(folder, "cache", "signalbox", "compiled")))
    // npm keeps its own compiled modules there.
    assert.deepStrictEqual(
      readdirSync(temporary).filter((name) => name !== "node-compile-cache"),
      []
    )
  })

  it("serves the page, and leaves the project as it was", async () => {
    const before = files()
    const server = start(process.execPath, [launcher, "serve", "--port", "0"], here)
    try {
      const [, address] = await server.says(/(http:\/\/127\.0\.0\.1:\d+)\/#token=/)
      const page = await (await fetch(`${address}/`)).text()
      const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? []
      const loaded = await fetch(`${address}${script}`)
      assert.strictEqual(loaded.status, 200)
      assert.include(loaded.headers.get("content-type"), "javascript")
      assert.isAbove((await loaded.text()).length, 100_000)
    } finally {
      server.child.kill("SIGTERM")
    }
    assert.strictEqual((await server.ended).code, 0)
    assert.isTrue(existsSync(join(folder, "state", "signalbox.sqlite")))
    assert.deepStrictEqual(files(), before)
  })

  it("starts the server from few files, of which none imports a later one", async () => {
    const program = join(installed, "server", "bin.js")
    const server = start(process.execPath, ["--import", imports, program, "serve", "--port", "0"], here)
    try {
      await server.says(/http:\/\/127\.0\.0\.1:\d+\/#token=/)
    } finally {
      server.child.kill("SIGTERM")
    }
    const { stderr } = await server.ended
    const edges = [...stderr.matchAll(/^IMPORT (.*)$/gm)].map(([, text = ""]): readonly [string, string] =>
      JSON.parse(text)
    )
    const ours = new Set(edges.map(([, to]) => to).filter((url) => url.includes("/signalbox/server/")))
    assert.isAtMost(ours.size, 20, [...ours].join("\n"))
    const placeOf = (url: string) => parts.findIndex((part) => new RegExp(`/${part}-[^/]*\\.js$`).test(url))
    const between = edges.map(([from, to]) => [placeOf(from), placeOf(to)] as const)
    const among = between.filter(([from, to]) => from >= 0 && to >= 0)
    assert.sameMembers([...new Set(among.flat())], [...parts.keys()])
    for (const [from, to] of among) assert.isBelow(to, from, `${parts[from]} imports ${parts[to]}`)
    // An import of it loads Node's client for the web (`apps/server/vite.config.ts`).
    assert.notInclude(
      edges.map(([, to]) => to),
      "node:http"
    )
  })

  it("has the program of the thread for checkpoints", async () => {
    const worker = new Worker(join(installed, "server", "CheckpointWorker.js"), {
      workerData: join(folder, "some.sqlite")
    })
    const ended = new Promise((resolve, reject) => worker.once("error", reject).once("exit", resolve))
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage("close")
    assert.strictEqual(await ended, 0)
  })
})

describe("where it can't run, one sentence and exit code 2", () => {
  it.each(["18.20.8", "20.20.2", "22.23.3"])("under Node %s", async (version) => {
    const { code, stderr, stdout } = await call(
      process.execPath,
      [...asNode(folder, { version }), launcher, "run"],
      here
    )
    assert.strictEqual(code, 2)
    assert.strictEqual(stdout, "")
    assert.strictEqual(
      stderr,
      `Signalbox needs Node 24 or later, and this is Node ${version} (${process.execPath}). Install Node 24 from https://nodejs.org, then run the same command again.\n`
    )
  })

  it("in words that old versions of Node can parse", () => {
    for (const file of ["signalbox.cjs", "node-version.cjs"])
      assert.notMatch(
        readFileSync(join(installed, "bin", file), "utf8").replaceAll(/\/\/.*|\/\*\*.*\*\//g, ""),
        /=>|\?\?|\?\.|\.\.\.|\b(?:const|let|class|async|await)\b/
      )
  })

  it("without a package that is installed with it", async () => {
    const [there, away] = [join(project, "node_modules", "undici"), join(folder, "undici")]
    renameSync(there, away)
    const { code, stderr, stdout } = await call(process.execPath, [launcher, "doctor"], here)
    renameSync(away, there)
    assert.strictEqual(code, 2)
    assert.strictEqual(stdout, "")
    assert.strictEqual(
      stderr,
      "This installation of Signalbox lacks the package undici, which npm installs with it. Install Signalbox again, with `npm install` and the network.\n"
    )
  })
})
