import type { AgentSession, AgentSessionChange, AgentSessionFilter } from "@signalbox/contracts/AgentSession"
import { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { AgentSessions } from "../../../src/provider/Services/AgentSessions.ts"
import * as Keeper from "../../support/Keeper.ts"

const list = Effect.fnUntraced(function* (filter: AgentSessionFilter = {}) {
  const sessions = yield* AgentSessions
  const frames = yield* Stream.runCollect(sessions.list(Keeper.keeper.id, filter))
  return {
    frames,
    sessions: frames.flatMap((frame): ReadonlyArray<AgentSession> => (frame.type === "sessions" ? frame.sessions : []))
  }
})

const change = Effect.fnUntraced(function* (sessionId: string, change: AgentSessionChange) {
  const sessions = yield* AgentSessions
  return yield* sessions.change(Keeper.keeper.id, ResumeToken.make(sessionId), change)
})

const kept = (count: number): ReadonlyArray<Keeper.KeptSession> =>
  Array.from({ length: count }, (_, index) => ({ sessionId: `s${index}`, cwd: "/project" }))

const ids = (sessions: ReadonlyArray<AgentSession>) => sessions.map(({ sessionId }) => sessionId)

/** Waits for what other processes do. */
const until = (is: () => boolean) =>
  Effect.sync(is).pipe(
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("60 seconds")
  )

describe("the sessions that an agent keeps", () => {
  it.live("[48] come page by page, every one of them, by cursors that nobody but the agent reads", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything }, pageSize: 3 }, kept(8))
      const { frames, sessions } = yield* Effect.provide(list({ cwd: "/project" }), Keeper.layer(keeper))
      assert.deepStrictEqual(
        frames.map((frame) => (frame.type === "sessions" ? frame.sessions.length : frame.type)),
        ["abilities", 3, 3, 2]
      )
      assert.strictEqual(new Set(ids(sessions)).size, 8)
      const asked = keeper.asked("session/list").map(({ params }) => params)
      assert.deepStrictEqual(asked, [
        { cwd: "/project" },
        { cwd: "/project", cursor: Buffer.from("@3").toString("base64") },
        { cwd: "/project", cursor: Buffer.from("@6").toString("base64") }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("[48] come whole where pages in between are empty", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { list: {} } }, pageSize: 2, emptyPages: true }, kept(5))
      const { sessions } = yield* Effect.provide(list(), Keeper.layer(keeper))
      assert.deepStrictEqual(ids(sessions), ["s0", "s1", "s2", "s3", "s4"])
      assert.isAbove(keeper.asked("session/list").length, 3)
    }).pipe(Effect.scoped)
  )

  it.live("end where an agent names the same page for ever", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { list: {} } }, endless: true }, kept(2))
      const { frames } = yield* Effect.provide(list(), Keeper.layer(keeper))
      assert.strictEqual(frames.length, 2)
      assert.strictEqual(keeper.asked("session/list").length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("are no more than anybody reads, each of them once, however many stand in one page", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { list: {} } } }, [...kept(1), ...kept(6000)])
      const { frames, sessions } = yield* Effect.provide(list(), Keeper.layer(keeper))
      assert.deepStrictEqual(ids(sessions).slice(0, 3), ["s0", "s1", "s2"])
      assert.isAtMost(sessions.length, 5000)
      assert.deepStrictEqual(frames.at(-1), { type: "truncated", after: 5000 })
    }).pipe(Effect.scoped)
  )

  it.live("are listed with what the agent says of them, and with the thread that goes on with one", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything } }, [
        { sessionId: "a", cwd: "/project", title: "Parser", updatedAt: "2026-11-01T10:00:00Z" },
        { sessionId: "b", cwd: "/other", title: "", updatedAt: "yesterday" }
      ])
      const held = new Map([[ResumeToken.make("b"), ThreadId.make("thread-b")]])
      const { sessions } = yield* Effect.provide(list(), Keeper.layer(keeper, { held }))
      assert.deepStrictEqual(sessions, [
        {
          sessionId: ResumeToken.make("a"),
          cwd: "/project",
          title: "Parser",
          updatedAt: Date.UTC(2026, 10, 1, 10)
        },
        { sessionId: ResumeToken.make("b"), cwd: "/other", threadId: ThreadId.make("thread-b") }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("of an agent that offers no list are none, and it is not asked", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({}, kept(2))
      const { frames } = yield* Effect.provide(list(), Keeper.layer(keeper))
      assert.deepStrictEqual(
        frames.map((frame) => (frame.type === "abilities" ? frame.abilities.list : frame.type)),
        [false]
      )
      assert.deepStrictEqual(keeper.asked("session/list"), [])
    }).pipe(Effect.scoped)
  )

  it.live("[49] that are gone already are closed and deleted all the same", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything } }, kept(1))
      yield* Effect.gen(function* () {
        yield* change("s0", { type: "close" })
        yield* change("s0", { type: "delete" })
        assert.deepStrictEqual(keeper.state().sessions, [])
        yield* change("s0", { type: "close" })
        yield* change("s0", { type: "delete" })
      }).pipe(Effect.provide(Keeper.layer(keeper)))
    }).pipe(Effect.scoped)
  )

  it.live("[54] are put away and brought back, and take the title that the agent keeps", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything } }, kept(2))
      yield* Effect.gen(function* () {
        yield* change("s0", { type: "archive" })
        assert.deepStrictEqual(ids((yield* list()).sessions), ["s1"])
        const { sessions: away } = yield* list({ archived: "only" })
        assert.deepStrictEqual(ids(away), ["s0"])
        assert.strictEqual(away[0]?.archived, true)
        yield* change("s0", { type: "unarchive" })
        assert.deepStrictEqual(ids((yield* list()).sessions), ["s0", "s1"])
        const { title } = yield* change("s1", { type: "rename", title: "A title that is longer than it keeps" })
        assert.strictEqual(title, "A title that is long")
      }).pipe(Effect.provide(Keeper.layer(keeper)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "[26] [54] are not put away by an agent that has no archive: the person is told, the agent is not asked",
    () =>
      Effect.gen(function* () {
        const keeper = yield* Keeper.make({ offers: { session: { list: {} } } }, kept(1))
        yield* Effect.gen(function* () {
          const { problem } = yield* Effect.flip(change("s0", { type: "archive" }))
          assert.strictEqual(problem.code, "unsupported")
          assert.include(problem.cause, "sessionCapabilities.archive")
          const listing = yield* Effect.flip(list({ archived: "only" }))
          assert.strictEqual(listing.problem.code, "unsupported")
        }).pipe(Effect.provide(Keeper.layer(keeper)))
        assert.deepStrictEqual(
          keeper.asked().map(({ method }) => method),
          ["initialize"]
        )
      }).pipe(Effect.scoped)
  )
})

describe("a visit", () => {
  it.live("serves all that comes within some seconds by one process, on record, and leaves none behind", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything } }, kept(1))
      yield* Effect.gen(function* () {
        yield* Effect.all([list(), list(), change("s0", { type: "close" })], { concurrency: "unbounded" })
        yield* list()
        assert.strictEqual(keeper.asked("initialize").length, 1)
        assert.strictEqual(keeper.onRecord(), 1)
      }).pipe(Effect.provide(Keeper.layer(keeper)))
      yield* until(() => keeper.onRecord() === 0)
    }).pipe(Effect.scoped)
  )

  it.live("of an agent that ends meanwhile says so, and the next one meets a new process", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: Keeper.everything } }, kept(1))
      yield* Effect.gen(function* () {
        yield* list()
        const { problem } = yield* Effect.flip(change("crash", { type: "close" }))
        assert.strictEqual(problem.code, "agent-exited")
        assert.strictEqual(problem.evidence.exitCode, 9)
        assert.strictEqual((yield* list()).sessions.length, 1)
        assert.strictEqual(keeper.asked("initialize").length, 2)
      }).pipe(Effect.provide(Keeper.layer(keeper)))
    }).pipe(Effect.scoped)
  )

  it.live("ends by itself when nobody comes any more", () =>
    Effect.gen(function* () {
      const keeper = yield* Keeper.make({ offers: { session: { list: {} } } }, kept(1))
      yield* Effect.gen(function* () {
        yield* list()
        yield* until(() => keeper.onRecord() === 0)
        yield* list()
        assert.strictEqual(keeper.asked("initialize").length, 2)
      }).pipe(Effect.provide(Keeper.layer(keeper, { keep: "50 millis" })))
    }).pipe(Effect.scoped)
  )

  it.live("of an agent that wants a login says so, with the ways in", () =>
    Effect.gen(function* () {
      const authMethods = [{ id: "web", name: "In the browser" }]
      const keeper = yield* Keeper.make({
        offers: { session: { list: {} } },
        authMethods,
        wantsLogin: ["session/list"]
      })
      const { problem } = yield* Effect.flip(Effect.provide(list(), Keeper.layer(keeper)))
      assert.strictEqual(problem.code, "auth-required")
      assert.deepStrictEqual(problem.signIn, {
        providerId: Keeper.keeper.id,
        methods: [{ id: "web", name: "In the browser", type: "agent" }]
      })
    }).pipe(Effect.scoped)
  )
})
