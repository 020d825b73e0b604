/** `signalbox agents registry`, `install` and `update`. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { platformOf } from "../../src/registry/InstallPlans.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, hasTerminals, start, temporaryFolder } from "./support/Signalbox.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const eliza = programOf(new URL("../../../../packages/stand-in-agents/src/eliza/main.ts", import.meta.url))

/** A program that is Eliza. */
const program = `#!/bin/sh\nexec '${process.execPath}' '${eliza}' "$@"\n`

/** A registry with one download, as `version`, and one package. */
const registry = Effect.acquireRelease(
  Effect.promise(async () => {
    const offer = { version: "1.0.0", checked: true }
    const server = createServer((request, response) => {
      if (request.url === "/program") return response.end(program)
      const sha256 = createHash("sha256").update(program).digest("hex")
      const target = { archive: `${url}/program`, cmd: "./talk", ...(offer.checked && { sha256 }) }
      const binary = { [platformOf(process.platform, process.arch)]: target }
      const about = { version: offer.version, description: "Talks." }
      return response.end(
        JSON.stringify({
          version: "1.0.0",
          agents: [
            { id: "talk", name: "Talk", ...about, distribution: { binary } },
            { id: "pack", name: "Pack", ...about, distribution: { npx: { package: "pack", args: ["--acp"] } } },
            { id: "far", name: "Far", ...about, distribution: { binary: { "plan9-mips": target } } }
          ]
        })
      )
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    return { url, offer, server }
  }),
  ({ server }) => Effect.sync(() => server.close())
)

/** Commands on a state folder that knows this registry as it is now. */
const on = Effect.fnUntraced(function* (url: string) {
  const state = temporaryFolder("state")
  const env = { SIGNALBOX_STATE_DIR: state, SIGNALBOX_REGISTRY_URL: url }
  const learn = Effect.promise(async () => {
    const registry: unknown = await (await fetch(url)).json()
    writeFileSync(join(state, "registry.json"), JSON.stringify({ at: 0, address: url, registry }))
  })
  yield* learn
  const agents = () => JSON.parse(readFileSync(join(state, "settings.json"), "utf8")).agents
  return { state, env, learn, agents, signalbox: (...args: ReadonlyArray<string>) => call(args, { env }) }
})

const flat = (text: string): string => text.replace(/\s+/g, " ")

describe("signalbox agents registry", () => {
  it.live("lists the agents as they were known, and as they are when it is loaded anew", () =>
    Effect.gen(function* () {
      const { url } = yield* registry
      const env = { SIGNALBOX_STATE_DIR: temporaryFolder("state"), SIGNALBOX_REGISTRY_URL: url }
      const shipped = yield* call(["agents", "registry"], { env })
      assert.strictEqual(shipped.code, 0, shipped.stderr)
      assert.match(shipped.stdout, /^claude-acp +\S+ +npm +npx -y @agentclientprotocol\/claude-agent-acp@\S+$/m)
      assert.include(shipped.stderr, "--refresh")
      const loaded = yield* call(["agents", "registry", "--refresh"], { env })
      assert.match(loaded.stdout, new RegExp(`^talk +1\\.0\\.0 +sha256 +${url}/program$`, "m"))
      assert.match(loaded.stdout, /^far +1\.0\.0 +— It is not offered for /m)
      assertReadable(loaded)
    }).pipe(Effect.scoped)
  )

  it.live("installs nothing unasked, nothing unknown, and nothing that is not for this machine", () =>
    Effect.gen(function* () {
      const { url } = yield* registry
      const { signalbox, state } = yield* on(url)
      const [nobody, unknown, far] = yield* Effect.all(
        [
          signalbox("agents", "install", "talk"),
          signalbox("agents", "install", "nothing", "--yes"),
          signalbox("agents", "install", "far", "--yes")
        ],
        { concurrency: 2 }
      )
      assert.strictEqual(nobody.code, 2)
      assert.include(nobody.stderr, "--yes")
      assert.strictEqual(unknown.code, 1)
      assert.strictEqual(far.code, 1)
      assert.include(flat(far.stderr), "not offered for")
      assert.isFalse(existsSync(join(state, "settings.json")))
      assert.isFalse(existsSync(join(state, "agents-installed")))
      for (const ended of [nobody, unknown, far]) assertReadable(ended)
    }).pipe(Effect.scoped)
  )

  it.live("installs an agent that then runs by its name", () =>
    Effect.gen(function* () {
      const { url } = yield* registry
      const { signalbox, state } = yield* on(url)
      const installed = yield* signalbox("agents", "install", "talk", "--yes")
      assert.strictEqual(installed.code, 0, installed.stderr)
      const command = join(state, "agents-installed", "talk", "1.0.0", "talk")
      assert.include(installed.stderr, `runs   ${command}`)
      assert.include(installed.stderr, `loads  ${url}/program`)
      assert.include(installed.stderr, "Loaded; its checksum is right.")
      const ran = yield* signalbox("run", "--provider", "talk", "Hello")
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.include(ran.stdout, "How are you feeling today?")
    }).pipe(Effect.scoped)
  )

  it.live("brings an agent to its next version, unchecked only for those who say so", () =>
    Effect.gen(function* () {
      const { offer, url } = yield* registry
      const { agents, learn, signalbox, state } = yield* on(url)
      const talk = { command: "talk", permissions: "read-only", registry: { id: "talk", version: "1.0.0" } }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { mine: talk } }))
      assert.include((yield* signalbox("agents", "update", "--yes")).stderr, "Nothing to update")
      offer.version = "1.1.0"
      offer.checked = false
      yield* learn
      const unchecked = yield* signalbox("agents", "update", "--yes", "mine")
      assert.strictEqual(unchecked.code, 1)
      assert.include(flat(unchecked.stderr), "no checksum")
      assert.include(flat(unchecked.stderr), "Next: If you trust its address, add --unverified")
      const taken = yield* signalbox("agents", "install", "pack", "--name", "mine", "--yes")
      assert.strictEqual(taken.code, 1)
      assert.include(flat(taken.stderr), "Next: Give it another name with --name, or put it in the place")
      assert.deepEqual(agents().mine, talk)
      const updated = yield* signalbox("agents", "update", "--yes", "--unverified")
      assert.strictEqual(updated.code, 0, updated.stderr)
      assert.include(updated.stderr, "mine (1.0.0 now), version 1.1.0")
      assert.deepInclude(agents().mine, { permissions: "read-only", registry: { id: "talk", version: "1.1.0" } })
      assertReadable(unchecked)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasTerminals)("asks before anything is loaded or written", () =>
    Effect.gen(function* () {
      const { url } = yield* registry
      const { env, state } = yield* on(url)
      const asking = yield* start(["agents", "install", "talk"], { env, terminal: true })
      yield* asking.says(/runs {3}.*talk[\s\S]*Install it\? \[y\/N\] /)
      asking.stdin.write("n\n")
      yield* asking.says(/Nothing was installed\./)
      yield* asking.ended
      assert.isFalse(existsSync(join(state, "settings.json")))
      assert.isFalse(existsSync(join(state, "agents-installed")))
      const agreeing = yield* start(["agents", "install", "pack"], { env, terminal: true })
      yield* agreeing.says(/runs {3}npx -y pack@1\.0\.0 --acp[\s\S]*Install it\? \[y\/N\] /)
      agreeing.stdin.write("y\n")
      yield* agreeing.says(/pack 1\.0\.0 is in the settings/)
      assert.strictEqual((yield* agreeing.ended).code, 0)
    }).pipe(Effect.scoped)
  )
})
