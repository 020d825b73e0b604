import { ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInOffer } from "@signalbox/contracts/SignInMethod"
import type { StartSession } from "../../../src/provider/Services/ProviderAdapter.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type AgentOptions, agentHarness, thread } from "../../support/AgentHarness.ts"
import * as Keeper from "../../support/Keeper.ts"

/** An adapter whose agent is the keeper. */
const harness = (keeper: Keeper.Keeper, options: Partial<AgentOptions> = {}) =>
  agentHarness(process.execPath, [Keeper.program], {
    ...options,
    env: keeper.env,
    timing: { stop: { closeInput: "2 seconds", terminate: "2 seconds" }, ...options.timing }
  })

const old = ResumeToken.make("old")
const history = [
  { user: "What is a parser?", agent: "A reader of grammars." },
  { user: "And a lexer?", agent: "Its eyes." }
]
const kept = [{ sessionId: "old", cwd: "/project", title: "Parsers", history }]

const sent = (keeper: Keeper.Keeper, method: string) => keeper.asked(method).map(({ params }) => params)

describe("a thread that begins with a session that the agent has kept", () => {
  it.live("[42] [44] opens with its history, shown once and marked as old, and with its title", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({}, kept)
      const agent = yield* harness(keeper)
      const session = yield* agent.start({ from: { type: "import", sessionId: old } })
      assert.strictEqual(session.origin, "loaded")
      assert.strictEqual(session.resumeToken, old)
      assert.deepStrictEqual(
        agent.of("prompt.replayed").map(({ replayed, text }) => ({ replayed, text })),
        history.map(({ user }) => ({ replayed: true as const, text: user }))
      )
      assert.deepStrictEqual(
        agent.of("message.delta").map(({ replayed, text }) => ({ replayed, text })),
        history.map((turn) => ({ replayed: true as const, text: turn.agent }))
      )
      assert.deepStrictEqual(
        agent.of("session.info.updated").map(({ title }) => title),
        ["Parsers"]
      )
      assert.deepStrictEqual(sent(keeper, "session/load"), [{ sessionId: "old", cwd: agent.folder, mcpServers: [] }])
      assert.strictEqual(agent.directory.get(thread)?.resumeToken, old)
      // The agent's later words are not marked as replayed.
      yield* agent.turn("turn-1", "Thanks")
      assert.isUndefined(agent.of("message.delta").at(-1)?.replayed)
    }).pipe(Effect.scoped)
  )

  it.live("has its history, too, if the agent sends it only after its answer", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ historyAfter: true }, kept)
      const agent = yield* harness(keeper)
      yield* agent.start({ from: { type: "import", sessionId: old } })
      yield* agent.next("session.info.updated")
      assert.deepStrictEqual(
        agent.of("prompt.replayed").map(({ text }) => text),
        history.map(({ user }) => user)
      )
    }).pipe(Effect.scoped)
  )

  it.live("[43] goes on without the history where the agent only resumes, and says so", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { load: false, session: { resume: {} } } }, kept)
      const agent = yield* harness(keeper)
      const session = yield* agent.start({ from: { type: "import", sessionId: old } })
      assert.strictEqual(session.origin, "resumed")
      const [started] = agent.of("session.started")
      assert.strictEqual(started?.problem?.title, "What was said before can't be shown.")
      assert.deepStrictEqual(agent.of("prompt.replayed"), [])
    }).pipe(Effect.scoped)
  )

  it.live("fails where the session is gone: no new one stands in for it", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { resume: {} } } })
      const agent = yield* harness(keeper)
      const { problem } = yield* Effect.flip(agent.start({ from: { type: "import", sessionId: old } }))
      assert.include(problem.cause, "No such session")
      assert.deepStrictEqual(keeper.asked("session/new"), [])
    }).pipe(Effect.scoped)
  )

  it.live("is taken up as any other later on", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { resume: {} } } }, kept)
      const agent = yield* harness(keeper)
      yield* agent.start({ from: { type: "import", sessionId: old } })
      yield* agent.adapter.stopSession(thread)
      const again = yield* agent.adapter.startSession(
        agent.input({ resume: old, knownPrompts: history.map(({ user }) => user) })
      )
      assert.strictEqual(again.origin, "resumed")
    }).pipe(Effect.scoped)
  )

  it.live("has its history also if an earlier start was stopped before any update", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ historyAfter: true, offers: { session: { resume: {} } } }, kept)
      const agent = yield* harness(keeper, { timing: { silence: Duration.minutes(1) } })
      const from = { type: "import", sessionId: old } as const
      const start = yield* Effect.forkChild(Effect.exit(agent.start({ from })))
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => agent.directory.has(thread) })
      yield* agent.adapter.stopSession(thread)
      yield* Fiber.join(start)
      assert.deepStrictEqual(agent.of("session.started"), [])
      const later = yield* harness(keeper)
      yield* later.start({ from, resume: old })
      yield* later.next("session.info.updated")
      assert.deepStrictEqual(
        later.of("prompt.replayed").map(({ text }) => text),
        history.map(({ user }) => user)
      )
    }).pipe(Effect.scoped)
  )

  it.live("has its history once, also if its agent has to be replaced and sends it again", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({}, kept)
      const agent = yield* harness(keeper, { timing: { cancelGrace: Duration.millis(100) } })
      yield* agent.start({ from: { type: "import", sessionId: old } })
      const turn = yield* Effect.forkChild(agent.turn("turn-1", "hang"))
      yield* agent.next("turn.started")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("turn-1"))
      yield* Fiber.join(turn)
      yield* agent.turn("turn-2", "Thanks")
      assert.deepStrictEqual(
        agent.of("session.started").map(({ origin }) => origin),
        ["loaded", "loaded"]
      )
      assert.deepStrictEqual(
        agent.of("prompt.replayed").map(({ text }) => text),
        history.map(({ user }) => user)
      )
    }).pipe(Effect.scoped)
  )
})

describe("a thread that begins with a copy", () => {
  it.live("[53] has a session of its own, and the one that was copied goes on", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { fork: {}, resume: {} } } }, kept)
      const agent = yield* harness(keeper)
      const source = yield* agent.start({ resume: old })
      const copy = yield* agent.start({
        threadId: ThreadId.make("copy"),
        from: { type: "fork", sessionId: old, threadId: thread }
      })
      assert.strictEqual(copy.origin, "forked")
      assert.notStrictEqual(copy.resumeToken, source.resumeToken)
      assert.strictEqual(agent.directory.get(ThreadId.make("copy"))?.resumeToken, copy.resumeToken)
      yield* agent.turn("turn-1", "to the source")
      yield* agent.turn("turn-2", "to the copy", ThreadId.make("copy"))
      const said = (id: string) =>
        keeper
          .state()
          .sessions.find(({ sessionId }) => sessionId === id)
          ?.history?.at(-1)?.user
      assert.strictEqual(said("old"), "to the source")
      assert.strictEqual(said(copy.resumeToken), "to the copy")
    }).pipe(Effect.scoped)
  )

  it.live("is refused with words by an agent that makes none", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({}, kept)
      const agent = yield* harness(keeper)
      const { problem } = yield* Effect.flip(agent.start({ from: { type: "fork", sessionId: old } }))
      assert.strictEqual(problem.code, "unsupported")
      assert.include(problem.cause, "sessionCapabilities.fork")
    }).pipe(Effect.scoped)
  )
})

describe("a thread with more folders than one", () => {
  const additionalDirectories = ["/srv/one", "/srv/two"]

  it.live("[46] [47] names them with each session that it opens, together with the same folder", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything } }, kept)
      const agent = yield* harness(keeper)
      const through = Effect.fnUntraced(function* (over: Partial<StartSession>) {
        yield* agent.adapter.startSession(agent.input({ additionalDirectories, ...over }))
        yield* agent.adapter.stopSession(thread)
      })
      yield* through({})
      yield* through({ resume: old })
      yield* through({ from: { type: "import", sessionId: old } })
      yield* through({ from: { type: "fork", sessionId: old } })
      for (const method of ["session/new", "session/resume", "session/load", "session/fork"]) {
        const [params] = sent(keeper, method)
        assert.deepInclude(params, { cwd: agent.folder, additionalDirectories, mcpServers: [] })
      }
    }).pipe(Effect.scoped)
  )

  it.live("[26] is refused with words by an agent that takes only one, and nothing is sent", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({})
      const agent = yield* harness(keeper)
      const { problem } = yield* Effect.flip(agent.start({ additionalDirectories }))
      assert.strictEqual(problem.code, "unsupported")
      assert.include(problem.cause, "sessionCapabilities.additionalDirectories")
      assert.deepStrictEqual(keeper.asked("session/new"), [])
    }).pipe(Effect.scoped)
  )
})

describe("what a session tells of its agent", () => {
  it.live("is what it can do with its sessions, and whether one can sign out", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({
        offers: { session: { list: {}, fork: {}, title: null }, auth: { logout: {} } }
      })
      const agent = yield* harness(keeper)
      yield* agent.start()
      const [started] = agent.of("session.started")
      assert.isTrue(started?.capabilities.signOut)
      assert.deepStrictEqual(started?.capabilities.sessions, {
        list: true,
        load: true,
        resume: false,
        fork: true,
        close: false,
        delete: false,
        archive: false,
        rename: false,
        additionalDirectories: false
      })
    }).pipe(Effect.scoped)
  )
})

describe("an agent that wants a login", () => {
  const authMethods = [{ id: "web", name: "In the browser" }]
  const web: SignInOffer = {
    providerId: ProviderId.make("custom"),
    methods: [{ id: "web", name: "In the browser", type: "agent" }]
  }

  it.live("[32] says so at the start of a session, with its ways in", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods, wantsLogin: ["session/new"] })
      const agent = yield* harness(keeper)
      const { problem } = yield* Effect.flip(agent.start())
      assert.strictEqual(problem.code, "auth-required")
      assert.deepEqual(problem.signIn, web)
      assert.deepStrictEqual(keeper.asked("authenticate"), [])
    }).pipe(Effect.scoped)
  )

  it.live(
    "[32] says so at the end of a turn, and is started anew for the next prompt once somebody has signed in",
    () =>
      Effect.gen(function* () {
        const keeper = yield* Keeper.make({
          authMethods,
          wantsLogin: ["session/prompt"],
          offers: { session: { resume: {} } }
        })
        const agent = yield* harness(keeper)
        const first = yield* agent.start()
        const refused = yield* agent.turn("turn-1", "Hello")
        assert.strictEqual(refused.outcome, "failed")
        assert.strictEqual(refused.problem?.code, "auth-required")
        assert.deepEqual(refused.problem?.signIn, web)
        assert.isTrue(yield* agent.adapter.hasSession(thread))
        keeper.put({ ...keeper.state(), signedIn: true })
        yield* agent.signedIn.note(first.provider.id, undefined)
        const exited = yield* agent.next("session.exited")
        assert.isTrue(exited.expected)
        yield* agent.adapter.startSession(agent.input({ resume: first.resumeToken, knownPrompts: ["Hello"] }))
        const { outcome } = yield* agent.turn("turn-2", "Hello")
        assert.strictEqual(outcome, "completed")
      }).pipe(Effect.scoped)
  )

  it.live("[34] is given it again by the way that somebody chose before, once", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ authMethods, wantsLogin: ["session/new"] })
      const agent = yield* harness(keeper)
      yield* agent.signedIn.note(agent.input().provider.id, "web")
      const { origin } = yield* agent.start()
      assert.strictEqual(origin, "new")
      assert.deepStrictEqual(sent(keeper, "authenticate"), [{ methodId: "web" }])
      assert.strictEqual(keeper.asked("session/new").length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("[34] and refuses all the same is believed: there is no third call", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({
        authMethods,
        wantsLogin: ["session/new"],
        onAuthenticate: [{ forgets: true }]
      })
      const agent = yield* harness(keeper)
      yield* agent.signedIn.note(agent.input().provider.id, "web")
      const { problem } = yield* Effect.flip(agent.start())
      assert.strictEqual(problem.code, "auth-required")
      assert.deepEqual(problem.signIn, web)
      assert.strictEqual(keeper.asked("session/new").length, 2)
      assert.strictEqual(keeper.asked("authenticate").length, 1)
    }).pipe(Effect.scoped)
  )
})
