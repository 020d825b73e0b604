/** The registry loaded from a server, and agents installed from it, with real archives. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import type { InstallFrame, InstallPlan, InstallRequest } from "@signalbox/contracts/Registry"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { join } from "node:path"
import * as AgentInstaller from "../../src/registry/AgentInstaller.ts"
import * as Registry from "../../src/registry/Registry.ts"
import * as SettingsFile from "../../src/settings/SettingsFile.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"

/** Serves these, by path, on a port of its own. */
const serve = (pages: Readonly<Record<string, Buffer | string | RequestListener>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const page = pages[request.url ?? ""]
        if (typeof page === "function") page(request, response)
        else if (page === undefined) response.writeHead(404).end()
        else response.end(page)
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

const program = "#!/bin/sh\necho mine\n"

/** A folder with a program, and a link to it. */
const content = () => {
  const folder = temporaryFolder("content")
  mkdirSync(join(folder, "bin"))
  writeFileSync(join(folder, "bin", "mine"), program)
  chmodSync(join(folder, "bin", "mine"), 0o755)
  symlinkSync("mine", join(folder, "bin", "also"))
  return folder
}

const packed = (command: string, args: (file: string) => ReadonlyArray<string>, cwd = content()) => {
  const file = join(temporaryFolder("archive"), "archive")
  execFileSync(command, args(file), { cwd })
  return readFileSync(existsSync(file) ? file : `${file}.zip`)
}

const tarGz = () => packed("tar", (file) => ["-czf", file, "."])
const tarBz2 = () => packed("tar", (file) => ["-cjf", file, "."])
const zip = () => packed("zip", (file) => ["-qry", file, "."])

/** Whether this machine can make such an archive. */
const has = (tool: string): boolean => ["/bin", "/usr/bin"].some((folder) => existsSync(join(folder, tool)))

const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")

const platform = "linux-x86_64"
const entry = (archive: string, more: object = {}, version = "1.2.3") => ({
  id: "mine",
  name: "My Agent",
  version,
  description: "Does things.",
  distribution: { binary: { [platform]: { archive, cmd: "./bin/mine", args: ["acp"], env: { MODE: "x" }, ...more } } }
})
const registryOf = (...agents: ReadonlyArray<object>) => JSON.stringify({ version: "1.0.0", agents })

/** A state folder whose registry is loaded from there. */
const stateOf = (address: string, state = temporaryFolder("state")) => {
  const settings = SettingsFile.layer({ folder: state })
  const layer = AgentInstaller.layer({ folder: state }).pipe(
    Layer.provideMerge(Registry.layer({ folder: state, address, platform })),
    Layer.provideMerge(settings),
    Layer.provide(NodeServices.layer)
  )
  return { state, layer, agents: () => JSON.parse(readFileSync(join(state, "settings.json"), "utf8")).agents }
}

const refresh = Effect.flatMap(Registry.Registry, ({ refresh }) => refresh)

const planned = (id = "mine"): Effect.Effect<InstallPlan, never, Registry.Registry> =>
  Effect.flatMap(Registry.Registry, ({ plan }) => Effect.orDie(Effect.map(plan(id), ({ plan }) => plan)))

const install = (request: Omit<InstallRequest, "id"> & { readonly id?: string }) =>
  Effect.flatMap(AgentInstaller.AgentInstaller, ({ install }) => Stream.runCollect(install({ id: "mine", ...request })))

const words = (frames: ReadonlyArray<InstallFrame>) => [...new Set(frames.map(({ type }) => type))]

const leftBehind = (state: string): ReadonlyArray<string> => {
  const folder = join(state, "agents-installed")
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Refreshes, installs and returns the reason why that failed. */
const failure = (layer: ReturnType<typeof stateOf>["layer"], request: Partial<InstallRequest> = {}) =>
  Effect.gen(function* () {
    yield* refresh
    return yield* Effect.flip(install({ plan: yield* planned(), ...request }))
  }).pipe(Effect.provide(layer))

describe("the registry", () => {
  it.live("is the one that came with us until it is loaded, and then the loaded one, over restarts", () =>
    Effect.gen(function* () {
      const { url } = yield* serve({ "/r": registryOf(entry("https://example.com/a.zip"), { id: "?" }) })
      const { layer, state } = stateOf(`${url}/r`)
      const list = Effect.flatMap(Registry.Registry, ({ list }) => list)
      const before = yield* Effect.provide(list, layer)
      assert.strictEqual(before.source, "shipped")
      assert.isAbove(before.agents.length, 10)
      const loaded = yield* Effect.provide(refresh, layer)
      assert.strictEqual(loaded.source, "refreshed")
      assert.strictEqual(loaded.unreadable.length, 1)
      assert.deepEqual(yield* Effect.provide(list, stateOf(`${url}/gone`, state).layer), loaded)
      assert.strictEqual(statSync(join(state, "registry.json")).mode & 0o777, 0o600)
    })
  )

  it.live("stays as it was when what comes is none, too long, or does not come", () =>
    Effect.gen(function* () {
      const { url } = yield* serve({
        "/good": registryOf(entry("https://example.com/a.zip")),
        "/html": "<html>",
        "/none": registryOf(),
        "/long": Buffer.alloc(5 * 1024 * 1024),
        "/endless": (_, response) => {
          response.on("drain", () => response.write(Buffer.alloc(65_536)))
          response.write(Buffer.alloc(1024 * 1024))
        },
        "/torn": (_, response) => {
          response.writeHead(200, { "content-length": "100" }).write("{")
          response.flushHeaders()
          setImmediate(() => response.destroy())
        },
        "/away": (_, response) => response.writeHead(302, { location: "http://example.com/registry.json" }).end(),
        "/round": (_, response) => response.writeHead(302, { location: "/round" }).end()
      })
      const { layer, state } = stateOf(`${url}/good`)
      yield* Effect.provide(refresh, layer)
      const kept = readFileSync(join(state, "registry.json"), "utf8")
      for (const [path, reason] of [
        ["/html", /no registry/],
        ["/none", /no agent that can be read/],
        ["/long", /more than the 4 MiB/],
        ["/endless", /more than the 4 MiB/],
        ["/torn", /broke/],
        ["/away", /it is not https/],
        ["/round", /on and on/],
        ["/gone", /answered 404/]
      ] as const) {
        const { problem } = yield* Effect.flip(Effect.provide(refresh, stateOf(`${url}${path}`, state).layer))
        assert.match(problem.cause, reason)
        assert.match(problem.cause, /What was known of it before stays\.$/)
        assert.strictEqual(readFileSync(join(state, "registry.json"), "utf8"), kept)
      }
    })
  )
})

/** `npx` and `uvx` that print their arguments, before those of this machine in the path. */
const runners = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = temporaryFolder("runners")
    for (const name of ["npx", "uvx"])
      writeFileSync(join(folder, name), '#!/bin/sh\nprintf "%s\\n" "${0##*/}" "$@"\n', { mode: 0o755 })
    const before = process.env["PATH"]
    process.env["PATH"] = `${folder}:${before}`
    return { folder, before }
  }),
  ({ before }) =>
    Effect.sync(() => {
      process.env["PATH"] = before
    })
)

describe("each agent that comes with us as a package", () => {
  it.live("is installed in the version that was checked, and run as it was shown, without a network", () =>
    Effect.gen(function* () {
      const { folder } = yield* runners
      const { agents, layer } = stateOf("http://127.0.0.1:1/none")
      const plans = yield* Effect.gen(function* () {
        const { list } = yield* Registry.Registry
        const offered = (yield* list).agents.flatMap(({ id, plan }) =>
          plan === undefined || plan.way === "binary" ? [] : [{ id, plan }]
        )
        for (const { id, plan } of offered) yield* install({ id, plan })
        return offered
      }).pipe(Effect.provide(layer))
      assert.isAbove(plans.length, 12)
      for (const { id, plan } of plans) {
        const { args, command, registry } = agents()[id]
        assert.deepEqual(registry, { id, version: plan.version }, id)
        const ran = execFileSync(join(folder, command), args, { encoding: "utf8" }).trimEnd().split("\n")
        assert.deepEqual(ran, [plan.command, ...plan.args], id)
        assert.include(ran, plan.package, id)
        assert.isTrue(plan.package.endsWith(plan.version), id)
      }
    }).pipe(Effect.scoped)
  )
})

describe("an agent of the registry", () => {
  for (const [name, pack, tool] of [
    ["/a.tar.gz", tarGz, "tar"],
    ["/a.tar.bz2", tarBz2, "bzip2"],
    ["/a.zip", zip, "zip"],
    ["/mine", () => Buffer.from(program), "sh"]
  ] as const)
    it.live.skipIf(!has(tool))(`is installed from ${name.slice(1)}, checked, and put into the settings`, () =>
      Effect.gen(function* () {
        const bytes = pack()
        const pages: Record<string, Buffer | string> = { [name]: bytes }
        const { url } = yield* serve(pages)
        pages["/r"] = registryOf(entry(`${url}${name}`, { sha256: sha256Of(bytes) }))
        const { agents, layer, state } = stateOf(`${url}/r`)
        yield* Effect.gen(function* () {
          yield* refresh
          const frames = yield* install({ plan: yield* planned() })
          assert.deepEqual(words(frames), ["downloading", "downloaded", "unpacking", "installed"])
          assert.deepInclude(frames, { type: "downloaded", sha256: sha256Of(bytes), verified: true })
          assert.deepEqual(frames.at(-1), { type: "installed", name: "mine", version: "1.2.3" })
          const command = join(state, "agents-installed", "mine", "1.2.3", "bin", "mine")
          assert.deepEqual(agents(), {
            mine: {
              name: "My Agent",
              command,
              args: ["acp"],
              env: { MODE: "x" },
              registry: { id: "mine", version: "1.2.3" }
            }
          })
          assert.strictEqual(execFileSync(command, { encoding: "utf8" }), "mine\n")
          assert.deepEqual(leftBehind(state), ["mine"])
          const { list } = yield* Registry.Registry
          assert.deepEqual((yield* list).agents[0]?.installed, [{ name: "mine", version: "1.2.3" }])
        }).pipe(Effect.provide(layer))
      })
    )

  it.live("is brought to another version, and what people have said of it stays", () =>
    Effect.gen(function* () {
      const bytes = tarGz()
      const pages: Record<string, Buffer | string> = { "/a.tgz": bytes }
      const { url } = yield* serve(pages)
      const offer = (version: string) =>
        (pages["/r"] = registryOf(entry(`${url}/a.tgz`, { sha256: sha256Of(bytes), args: [version] }, version)))
      const { agents, layer, state } = stateOf(`${url}/r`)
      yield* Effect.gen(function* () {
        offer("1.0.0")
        yield* refresh
        yield* install({ plan: yield* planned() })
        const { put } = yield* SettingsFile.SettingsFile
        yield* put("agents", "mine", { ...agents().mine, permissions: "read-only", env: { MODE: "mine", KEY: "k" } })
        offer("2.0.0")
        yield* refresh
        yield* install({ plan: yield* planned() })
        const { args, command, env, permissions, registry } = agents().mine
        assert.deepEqual(
          { args, env, permissions, registry },
          {
            args: ["2.0.0"],
            env: { MODE: "mine", KEY: "k" },
            permissions: "read-only",
            registry: { id: "mine", version: "2.0.0" }
          }
        )
        assert.strictEqual(command, join(state, "agents-installed", "mine", "2.0.0", "bin", "mine"))
      }).pipe(Effect.provide(layer))
    })
  )

  it.live("[125] whose download is not what the registry says is not installed", () =>
    Effect.gen(function* () {
      const pages: Record<string, Buffer | string> = { "/a.tgz": tarGz() }
      const { url } = yield* serve(pages)
      pages["/r"] = registryOf(entry(`${url}/a.tgz`, { sha256: "0".repeat(64) }))
      const { layer, state } = stateOf(`${url}/r`)
      const { problem } = yield* failure(layer)
      assert.match(problem.cause, /its checksum is [0-9a-f]{64} and should be 0{64}\.$/)
      assert.isFalse(existsSync(join(state, "settings.json")))
      assert.deepEqual(leftBehind(state), [])
    })
  )

  it.live("that nobody can check is installed only for those who say so", () =>
    Effect.gen(function* () {
      const pages: Record<string, Buffer | string> = { "/a.tgz": tarGz() }
      const { url } = yield* serve(pages)
      pages["/r"] = registryOf(entry(`${url}/a.tgz`))
      const { agents, layer, state } = stateOf(`${url}/r`)
      const { problem } = yield* failure(layer)
      assert.match(problem.cause, /no checksum/)
      assert.deepEqual(leftBehind(state), [])
      const frames = yield* Effect.provide(
        Effect.flatMap(planned(), (plan) => install({ plan, unverified: true })),
        layer
      )
      assert.isTrue(frames.some((frame) => frame.type === "downloaded" && !frame.verified))
      assert.hasAllKeys(agents(), ["mine"])
    })
  )

  it.live("whose download is torn, no archive, without its program, or leads outside leaves nothing behind", () =>
    Effect.gen(function* () {
      const whole = tarGz()
      const outside = temporaryFolder("outside")
      const escape = packed("tar", (file) => ["-czPf", file, "--transform", "s,bin,../bin,", "."])
      const links = temporaryFolder("links")
      symlinkSync(outside, join(links, "bin"))
      const linked = packed("tar", (file) => ["-czf", file, "."], links)
      const fifo = temporaryFolder("fifo")
      execFileSync("mkfifo", [join(fifo, "pipe")])
      const strange = packed("tar", (file) => ["-czf", file, "."], fifo)
      const wrong: ReadonlyArray<readonly [string, Buffer | RequestListener, RegExp]> = [
        [
          "/torn.tgz",
          (_, response) => {
            response.writeHead(200, { "content-length": String(whole.length) }).write(whole.subarray(0, 100))
            setImmediate(() => response.destroy())
          },
          /broke|promised/
        ],
        ["/cut.tgz", whole.subarray(0, whole.length - 20), /can't be unpacked|holds nothing/],
        ["/text.tgz", Buffer.from("not an archive"), /can't be unpacked|holds nothing/],
        ["/text.zip", Buffer.from("not an archive"), /can't be unpacked/],
        ["/text.tar.bz2", Buffer.from("not an archive"), /can't be unpacked/],
        ["/empty.tgz", packed("tar", (file) => ["-czf", file, "."], temporaryFolder("empty")), /no program bin\/mine/],
        ["/escape.tgz", escape, /would lie outside/],
        ["/linked.tgz", linked, /leads outside/],
        ["/fifo.tgz", strange, /neither a file/],
        ["/gone.tgz", (_, response) => response.writeHead(404).end(), /answered 404/]
      ]
      for (const [path, page, reason] of wrong) {
        const pages: Record<string, Buffer | string | RequestListener> = { [path]: page }
        const { url } = yield* serve(pages)
        pages["/r"] = registryOf(entry(`${url}${path}`))
        const { layer, state } = stateOf(`${url}/r`)
        const { problem } = yield* failure(layer, { unverified: true })
        assert.match(problem.cause, reason, path)
        assert.deepEqual(leftBehind(state), [], path)
        assert.isFalse(existsSync(join(state, "settings.json")), path)
      }
      assert.deepEqual(readdirSync(outside), [])
    })
  )

  it.live("is not installed where the registry says something else by now than what was shown", () =>
    Effect.gen(function* () {
      const pages: Record<string, Buffer | string> = { "/a.tgz": tarGz() }
      const { url } = yield* serve(pages)
      pages["/r"] = registryOf(entry(`${url}/a.tgz`))
      const { layer } = stateOf(`${url}/r`)
      yield* Effect.gen(function* () {
        yield* refresh
        const plan = yield* planned()
        pages["/r"] = registryOf(entry(`${url}/a.tgz`, { args: ["--yolo"] }))
        yield* refresh
        const { problem } = yield* Effect.flip(install({ plan, unverified: true }))
        assert.match(problem.cause, /not what was shown/)
      }).pipe(Effect.provide(layer))
    })
  )

  it.live("does not take the place of another agent, and a built-in one keeps its name", () =>
    Effect.gen(function* () {
      const npx = { distribution: { npx: { package: "mine@1.2.3" } } }
      const { url } = yield* serve({
        "/r": registryOf({ ...entry(""), ...npx }, { ...entry(""), ...npx, id: "cursor" })
      })
      const { agents, layer, state } = stateOf(`${url}/r`)
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { mine: { command: "x" } } }))
      yield* Effect.gen(function* () {
        yield* refresh
        const plan = yield* planned()
        const { problem } = yield* Effect.flip(install({ plan }))
        assert.strictEqual(problem.title, "There is an agent mine already.")
        yield* install({ plan, name: "other" })
        yield* install({ id: "cursor", plan: yield* planned("cursor") })
        assert.hasAllKeys(agents(), ["mine", "other", "cursor-registry"])
        assert.strictEqual(agents().mine.command, "x")
        assert.deepEqual(agents().other.args, ["-y", "mine@1.2.3"])
        yield* install({ plan, replace: true })
        assert.strictEqual(agents().mine.command, "npx")
      }).pipe(Effect.provide(layer))
    })
  )

  it.live("that people give up on while it is loaded leaves nothing behind", () =>
    Effect.gen(function* () {
      let asked = () => {}
      const loading = new Promise<void>((resolve) => (asked = resolve))
      const pages: Record<string, string | RequestListener> = {
        "/a.tgz": (_, response) => {
          response.write("x")
          asked()
        }
      }
      const { url } = yield* serve(pages)
      pages["/r"] = registryOf(entry(`${url}/a.tgz`))
      const { layer, state } = stateOf(`${url}/r`)
      yield* Effect.gen(function* () {
        yield* refresh
        const running = yield* Effect.forkScoped(install({ plan: yield* planned(), unverified: true }))
        yield* Effect.promise(() => loading)
        assert.strictEqual(leftBehind(state).length, 1)
        yield* Fiber.interrupt(running)
        assert.deepEqual(leftBehind(state), [])
      }).pipe(Effect.scoped, Effect.provide(layer))
    })
  )
})
