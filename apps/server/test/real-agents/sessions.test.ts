/** The sessions that agents keep: how each kind of agent lists them, opens them again, copies and deletes them. */
import { assert, describe, it } from "@effect/vitest"
import type { AgentSession, AgentSessionFilter, SessionSource } from "@signalbox/contracts/AgentSession"
import { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { homedir } from "node:os"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { AgentSessions } from "../../src/provider/Services/AgentSessions.ts"
import { ProviderAdapterRegistry } from "../../src/provider/Services/ProviderAdapterRegistry.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { agentHarness, thread } from "../support/AgentHarness.ts"
import * as Keeper from "../support/Keeper.ts"

const list = Effect.fnUntraced(function* (filter: AgentSessionFilter = {}, near: ReadonlyArray<string> = []) {
  const sessions = yield* AgentSessions
  const frames = yield* Stream.runCollect(sessions.list(Keeper.keeper.id, filter, near))
  return frames
    .flatMap((frame): ReadonlyArray<AgentSession> => (frame.type === "sessions" ? frame.sessions : []))
    .map(({ sessionId }) => sessionId)
})

/** The folders that were asked for, in order. */
const folders = (keeper: Keeper.Keeper) => keeper.asked("session/list").map(({ params }) => params)

describe("the list of an agent that files its sessions by folder", () => {
  const offers = { session: { list: {} } }

  it.live("is asked for the folders of its threads and the one that people are in, and has each session once", () =>
    Effect.gen(function* () {
      const [one, two, three] = [temporaryFolder("one"), temporaryFolder("two"), temporaryFolder("three")]
      const keeper = yield* Keeper.make({ offers, byFolder: true }, [
        { sessionId: "home", cwd: homedir() },
        { sessionId: "a", cwd: one },
        { sessionId: "b", cwd: two },
        { sessionId: "c", cwd: three }
      ])
      const found = list({}, [one, two]).pipe(
        Effect.provide(Keeper.layer(keeper, { folders: [two, homedir(), "/gone"] }))
      )
      assert.deepEqual(yield* found, ["home", "a", "b"])
      assert.deepEqual(folders(keeper), [{}, { cwd: one }, { cwd: two }, { cwd: "/gone" }])
    }).pipe(Effect.scoped)
  )

  it.live("is not asked again where one answer holds other folders", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers }, [{ sessionId: "a", cwd: "/elsewhere" }])
      const found = yield* Effect.provide(list({}, ["/one"]), Keeper.layer(keeper))
      assert.deepEqual([found, folders(keeper).length], [["a"], 1])
    }).pipe(Effect.scoped)
  )

  it.live("is asked for some folders, however many threads there are", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers, byFolder: true }, [])
      const many = Array.from({ length: 1_000 }, (_, index) => `/folder-${index}`)
      assert.deepEqual(yield* Effect.provide(list(), Keeper.layer(keeper, { folders: many })), [])
      assert.strictEqual(folders(keeper).length, 21)
    }).pipe(Effect.scoped)
  )
})

describe("the list of an agent that knows no folder by its name", () => {
  it.live("is asked without one, and has the sessions of that folder by any of its names", () =>
    Effect.gen(function* () {
      const real = temporaryFolder("real")
      const link = join(temporaryFolder("links"), "link")
      symlinkSync(real, link)
      const keeper = yield* Keeper.make({ offers: { session: { list: {} } }, deafToFolder: true }, [
        { sessionId: "a", cwd: real },
        { sessionId: "b", cwd: link },
        { sessionId: "c", cwd: "/elsewhere" }
      ])
      assert.deepEqual(yield* Effect.provide(list({ cwd: link }), Keeper.layer(keeper)), ["a", "b"])
      assert.deepEqual(folders(keeper), [{ cwd: link }, {}])
    }).pipe(Effect.scoped)
  )
})

const old = ResumeToken.make("old")
const history = [{ user: "What is a parser?", agent: "A reader of grammars." }]

const harness = (keeper: Keeper.Keeper) =>
  agentHarness(process.execPath, [Keeper.program], {
    env: keeper.env,
    timing: { stop: { closeInput: "2 seconds", terminate: "2 seconds" } }
  })

describe("a session that a thread holds", () => {
  it.live("is deleted by the process that holds it, which ends", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything } }, [
        { sessionId: "old", cwd: "/p", history }
      ])
      const agent = yield* harness(keeper)
      yield* agent.start({ provider: Keeper.keeper, from: { type: "import", sessionId: old } })
      const adapters = Layer.succeed(ProviderAdapterRegistry, { all: [agent.adapter], get: () => agent.adapter })
      const layer = Layer.provide(Keeper.layer(keeper), adapters)
      const change = (to: Parameters<AgentSessions["Service"]["change"]>[2]) =>
        Effect.flatMap(AgentSessions, (sessions) => sessions.change(Keeper.keeper.id, old, to)).pipe(
          Effect.provide(layer)
        )
      assert.deepEqual(yield* change({ type: "rename", title: "Grammars" }), { title: "Grammars" })
      assert.isTrue(yield* agent.adapter.hasSession(thread))
      yield* change({ type: "delete" })
      assert.deepEqual(keeper.state().sessions, [])
      assert.isFalse(yield* agent.adapter.hasSession(thread))
      assert.strictEqual((yield* agent.next("session.exited")).expected, true)
      assert.strictEqual(keeper.asked("initialize").length, 1)
      // Nobody holds it any more.
      yield* change({ type: "delete" })
      assert.strictEqual(keeper.asked("initialize").length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("stays as it is where its agent deletes none", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { list: {} } } })
      const agent = yield* harness(keeper)
      yield* agent.start()
      const { problem } = yield* Effect.flip(agent.adapter.changeSession(thread, { type: "delete" }))
      assert.strictEqual(problem.code, "unsupported")
      assert.isTrue(yield* agent.adapter.hasSession(thread))
    }).pipe(Effect.scoped)
  )
})

interface Row {
  readonly agents: string
  readonly offers: { readonly load: boolean; readonly session?: object }
  /** How a thread's session comes to be: taken up, brought in, copied. `undefined`: it is refused. */
  readonly takenUp: string
  readonly broughtIn: string | undefined
  readonly copied: string | undefined
}

const rows: ReadonlyArray<Row> = [
  {
    agents: "load, list, fork and resume (claude, opencode, kilo)",
    offers: { load: true, session: { list: {}, fork: {}, resume: {} } },
    takenUp: "resumed",
    broughtIn: "loaded",
    copied: "forked"
  },
  {
    agents: "load, list and resume (qwen, kimi, grok)",
    offers: { load: true, session: { list: {}, resume: {} } },
    takenUp: "resumed",
    broughtIn: "loaded",
    copied: undefined
  },
  {
    agents: "load and list (copilot, auggie, pi, cursor)",
    offers: { load: true, session: { list: {} } },
    takenUp: "loaded",
    broughtIn: "loaded",
    copied: undefined
  },
  {
    agents: "load alone (gemini, cline)",
    offers: { load: true },
    takenUp: "loaded",
    broughtIn: "loaded",
    copied: undefined
  },
  { agents: "nothing (amp)", offers: { load: false }, takenUp: "replaced", broughtIn: undefined, copied: undefined }
]

describe("an agent that offers", () => {
  for (const { agents, broughtIn, copied, offers, takenUp } of rows) {
    it.live(`${agents} opens, copies and lists sessions as far as that goes`, () =>
      Effect.gen(function* () {
        const keeper = yield* Keeper.make({ offers }, [{ sessionId: "old", cwd: "/p", title: "Parsers", history }])
        const agent = yield* harness(keeper)
        const opened = (threadId: string, over: { readonly resume?: ResumeToken; readonly from?: SessionSource }) => {
          const id = ThreadId.make(threadId)
          return agent.start({ threadId: id, ...over }).pipe(
            Effect.tap(() => agent.adapter.stopSession(id)),
            Effect.map(({ origin }) => origin),
            Effect.orElseSucceed(() => undefined)
          )
        }
        assert.strictEqual(yield* opened("taken-up", { resume: old }), takenUp)
        assert.strictEqual(yield* opened("brought-in", { from: { type: "import", sessionId: old } }), broughtIn)
        assert.strictEqual(yield* opened("copied", { from: { type: "fork", sessionId: old } }), copied)
        // Nothing is asked of an agent that it does not offer.
        const counts = ["session/load", "session/resume", "session/fork"].map((method) => keeper.asked(method).length)
        const loads = [takenUp, broughtIn].filter((origin) => origin === "loaded").length
        assert.deepEqual(counts, [loads, takenUp === "resumed" ? 1 : 0, copied === undefined ? 0 : 1])
        const told = agent.of("prompt.replayed").filter(({ threadId }) => threadId === "brought-in")
        assert.deepEqual(
          told.map(({ text }) => text),
          broughtIn === "loaded" ? ["What is a parser?"] : []
        )
        const lists = offers.session !== undefined
        assert.deepEqual((yield* Effect.provide(list(), Keeper.layer(keeper))).includes(old), lists)
      }).pipe(Effect.scoped)
    )
  }
})
