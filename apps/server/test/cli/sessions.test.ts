import { AgentSession } from "@signalbox/contracts/AgentSession"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertReadable } from "./support/Runs.ts"
import { call, hasTerminals, start, temporaryFolder } from "./support/Signalbox.ts"
import * as Keeper from "../support/Keeper.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"

const decodeSession = Schema.decodeSync(Schema.fromJsonString(AgentSession))

/** A state folder whose settings know the keeper by this name. */
const known = Effect.fnUntraced(function* (setup: Keeper.Setup, kept: ReadonlyArray<Keeper.KeptSession> = []) {
  const keeper = yield* Keeper.make(setup, kept)
  const state = temporaryFolder("state")
  mkdirSync(state, { recursive: true })
  const agent = { command: process.execPath, args: [Keeper.program], env: keeper.env }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { keeper: agent } }), { mode: 0o600 })
  const on = (command: ReadonlyArray<string>, ...rest: ReadonlyArray<string>) => [
    ...command,
    "--provider",
    "keeper",
    "--state-dir",
    state,
    ...rest
  ]
  return { keeper, state, on }
})

const history = [{ user: "What is a parser?", agent: "A reader of grammars." }]

describe("signalbox sessions", () => {
  it.live("lists what an agent keeps, for people and for programs, with no server and of one folder too", () =>
    Effect.gen(function* () {
      const { on } = yield* known({ offers: { session: Keeper.everything }, pageSize: 1 }, [
        { sessionId: "session-a", cwd: "/one", title: "Par\u001b[31msers", updatedAt: "2026-01-01T00:00:00Z" },
        { sessionId: "session-b", cwd: "/two" }
      ])
      const told = yield* call(on(["sessions", "list"]))
      assert.strictEqual(told.code, 0, told.stderr)
      assert.match(
        told.stdout,
        /^SESSION +UNCHANGED +FOLDER +TITLE\nsession-a +\S.* d .* \/one +Parsers\nsession-b +\/two\n$/
      )
      const one = yield* call(on(["sessions", "list"], "--json", "--cwd", "/two"))
      assert.deepStrictEqual(
        one.stdout
          .trimEnd()
          .split("\n")
          .map((line) => decodeSession(line).sessionId),
        ["session-b"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("says so where the agent keeps no list", () =>
    Effect.gen(function* () {
      const { on } = yield* known({})
      const told = yield* call(on(["sessions", "list"]))
      assert.strictEqual(told.code, 1)
      assert.include(told.stderr, "keeper does not list its sessions.")
      assertReadable(told)
    }).pipe(Effect.scoped)
  )

  it.live("of an agent that wants a login says how to sign in", () =>
    Effect.gen(function* () {
      const { on } = yield* known({
        offers: { session: { list: {} } },
        authMethods: [{ id: "web", name: "In the browser" }],
        wantsLogin: ["session/list"]
      })
      const told = yield* call(on(["sessions", "list"]))
      assert.strictEqual(told.code, 5)
      assert.include(told.stderr, "signalbox login --provider keeper")
    }).pipe(Effect.scoped)
  )

  it.live("deletes the one that is meant, and only when that is said", () =>
    Effect.gen(function* () {
      const { keeper, on } = yield* known({ offers: { session: Keeper.everything } }, [
        { sessionId: "session-a", cwd: "/one" },
        { sessionId: "session-b", cwd: "/two" }
      ])
      const unasked = yield* call(on(["sessions", "delete"], "session-a"))
      assert.strictEqual(unasked.code, 2)
      assert.strictEqual(keeper.state().sessions.length, 2)
      const unclear = yield* call(on(["sessions", "delete"], "--yes", "session"))
      assert.include(unclear.stderr, "the beginning of several sessions' ids")
      const done = yield* call(on(["sessions", "delete"], "--yes", "session-a"))
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepStrictEqual(
        keeper.state().sessions.map(({ sessionId }) => sessionId),
        ["session-b"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("opens one as a thread of the server that runs, with its history, and not twice", () =>
    Effect.gen(function* () {
      const project = temporaryFolder("project")
      const { keeper, on, state } = yield* known({ offers: { session: Keeper.everything } }, [
        { sessionId: "session-a", cwd: project, title: "Parsers", history }
      ])
      const nobody = yield* call(on(["sessions", "import"], "session-a"))
      assert.include(nobody.stderr, "No Signalbox server is running.")
      const server = yield* start(["serve", "--state-dir", state, "--port", "0"])
      yield* server.says(/http:\/\/\S+/)
      const opened = yield* call(on(["sessions", "import"], "session-a"))
      assert.strictEqual(opened.code, 0, opened.stderr)
      const threadId = opened.stdout.trim()
      assert.strictEqual(keeper.asked("session/load").length, 1)
      const kept = yield* call(["threads", "export", threadId, "--state-dir", state])
      assert.include(kept.stdout, "What is a parser?")
      assert.include(kept.stdout, "A reader of grammars.")
      assert.include(kept.stdout, '"title":"Parsers"')
      const again = yield* call(on(["sessions", "import"], "session-a"))
      assert.strictEqual(again.code, 2)
      assert.include(again.stderr, threadId)
      // The thread holds it: the process that has it open is the one that deletes it, and no other.
      const before = keeper.asked("initialize").length
      const gone = yield* call(on(["sessions", "delete"], "--yes", "session-a"))
      assert.strictEqual(gone.code, 0, gone.stderr)
      assert.strictEqual(keeper.asked("initialize").length, before)
      assert.deepStrictEqual(keeper.state().sessions, [])
      const closed = yield* call(["threads", "export", threadId, "--state-dir", state])
      assert.include(closed.stdout, "What is a parser?")
    }).pipe(Effect.scoped)
  )

  it.live("makes no thread where the agent does not open the session, or somebody stops waiting for it", () =>
    Effect.gen(function* () {
      const sessionId = "session-a"
      const list = { sessions: [{ sessionId, cwd: temporaryFolder("project"), title: "Parsers" }] }
      const state = temporaryFolder("state")
      const agent = (setup: object) => ({
        command: process.execPath,
        args: [scriptedMain],
        env: { SCRIPTED_AGENT: JSON.stringify({ list, ...setup }) }
      })
      const agents = {
        refuses: agent({ load: { error: { code: -32603, message: "It is damaged" } } }),
        waits: agent({ load: {}, silent: ["session/load"] })
      }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }), { mode: 0o600 })
      const server = yield* start(["serve", "--state-dir", state, "--port", "0"])
      yield* server.says(/http:\/\/\S+/)
      const from = (provider: string) => ["sessions", "import", "--provider", provider, "--state-dir", state, sessionId]
      const threads = Effect.map(call(["threads", "list", "--json", "--state-dir", state]), ({ stdout }) => stdout)
      const refused = yield* call(from("refuses"))
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "It is damaged")
      assert.strictEqual(yield* threads, "")
      const waiting = yield* start(from("waits"))
      yield* Effect.repeat(threads, { until: (rows) => rows !== "" })
      waiting.kill("SIGINT")
      assert.strictEqual((yield* waiting.ended).code, 3)
      assert.strictEqual(yield* threads, "")
    }).pipe(Effect.scoped)
  )
})

const web = { id: "web", name: "In the browser" }
const terminal = { type: "terminal", id: "code", name: "By a code", args: ["login"] }

describe("signalbox login", () => {
  it.live("signs in by the only way that the agent offers, and shows what it says meanwhile", () =>
    Effect.gen(function* () {
      const { keeper, on } = yield* known({
        authMethods: [web],
        offers: { auth: { status: {}, logout: {} } },
        onAuthenticate: [{ stdout: "\u001b[32mOpen https://keeper.example/login\u001b[0m\n" }]
      })
      const done = yield* call(on(["login"]))
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(done.stderr, "Open https://keeper.example/login")
      assert.notInclude(done.stderr, "\u001b[32m")
      assert.isTrue(keeper.state().signedIn)
      const again = yield* call(on(["login"]))
      assert.include(again.stderr, "Signed in already as ada@keeper.example")
      const out = yield* call(on(["logout"]))
      assert.strictEqual(out.code, 0, out.stderr)
      assert.isFalse(keeper.state().signedIn)
    }).pipe(Effect.scoped)
  )

  it.live("is given up by Ctrl-C: the agent is told", () =>
    Effect.gen(function* () {
      const { keeper, on } = yield* known({
        authMethods: [web],
        onAuthenticate: [{ stderr: "asking\n" }, { forCancel: true }]
      })
      const running = yield* start(on(["login"]))
      yield* running.says(/asking/)
      running.kill("SIGINT")
      const { code } = yield* running.ended
      assert.strictEqual(code, 3)
      assert.strictEqual(keeper.asked("$/cancel_request").length, 1)
      assert.isUndefined(keeper.state().signedIn)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasTerminals)("leaves Ctrl-C to an agent that has the terminal", () =>
    Effect.gen(function* () {
      const { on } = yield* known({ authMethods: [terminal] })
      const running = yield* start(on(["login"]), { terminal: true })
      yield* running.says(/Code: /)
      running.stdin.write("\u0003")
      yield* running.says(/Given up\./)
      const { code, stdout } = yield* running.ended
      assert.strictEqual(code, 5)
      assert.include(stdout, "exited with code 4")
    }).pipe(Effect.scoped)
  )

  it.live("asks which of several ways is meant, and needs a terminal for one that does", () =>
    Effect.gen(function* () {
      const { on } = yield* known({ authMethods: [web, terminal] })
      const several = yield* call(on(["login"]))
      assert.strictEqual(several.code, 2)
      assert.include(several.stderr, "--method web")
      const unknown = yield* call(on(["login"], "--method", "magic"))
      assert.strictEqual(unknown.code, 2)
      const none = yield* call(on(["login"], "--method", "code"))
      assert.strictEqual(none.code, 2)
      assert.include(none.stderr, "needs a terminal")
      assertReadable(none)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasTerminals)("hands its own terminal to an agent that asks there", () =>
    Effect.gen(function* () {
      const { keeper, on } = yield* known({ authMethods: [terminal] })
      const running = yield* start(on(["login"]), { terminal: true })
      yield* running.says(/A terminal: true/)
      yield* running.says(/Code: /)
      running.stdin.write("1234\r")
      yield* running.says(/Signed in to keeper\./)
      const { code } = yield* running.ended
      assert.strictEqual(code, 0)
      assert.isTrue(keeper.state().signedIn)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasTerminals)("says that it did not work, and how to do it by hand", () =>
    Effect.gen(function* () {
      const { keeper, on } = yield* known({ authMethods: [terminal] })
      const running = yield* start(on(["login"]), { terminal: true })
      yield* running.says(/Code: /)
      running.stdin.write("0000\r")
      const { code, stdout } = yield* running.ended
      assert.strictEqual(code, 5)
      assert.include(stdout, "exited with code 3")
      assert.include(stdout, "keeper.mjs login")
      assert.isUndefined(keeper.state().signedIn)
    }).pipe(Effect.scoped)
  )
})
