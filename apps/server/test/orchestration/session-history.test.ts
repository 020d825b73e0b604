/** What is kept of a thread's sessions beside its state, folded event by event. */
import { assert, describe, it } from "@effect/vitest"
import { EventId, ProviderSessionId, ResumeToken } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as SessionHistory from "../../src/orchestration/SessionHistory.ts"
import { threadId } from "../support/ThreadsHarness.ts"

const a = threadId("thread-a")
const ofAgent = {
  threadId: a,
  eventId: EventId.make("event"),
  providerKind: "acp",
  providerSessionId: ProviderSessionId.make("session")
} as const

const started = (at: number): ThreadEvent => ({
  ...ofAgent,
  type: "session.started",
  at,
  origin: "new",
  resumeToken: ResumeToken.make("token"),
  capabilities: { rollback: { supported: false, reason: "" }, resume: true, images: false }
})
const exited = (at: number, expected: boolean): ThreadEvent => ({ ...ofAgent, type: "session.exited", at, expected })
const stop: ThreadEvent = { type: "session.stop.requested", threadId: a, at: 1 }

const fold = (...events: ReadonlyArray<ThreadEvent>) => events.reduce(SessionHistory.after, SessionHistory.none)

describe("the history of a thread's sessions", () => {
  it("counts the runs that came to nothing, a start that failed among them", () => {
    const history = SessionHistory.failed(fold(started(1), exited(5, false)), 9)
    assert.deepStrictEqual(history.runs, [
      { startedAt: 1, endedAt: 5 },
      { startedAt: 9, endedAt: 9 }
    ])
    assert.strictEqual(history.crashedAt, 9)
  })

  it("knows of no crash while the agent runs, and begins anew when somebody ends it", () => {
    assert.isUndefined(fold(started(1), exited(5, false), started(6)).crashedAt)
    assert.deepStrictEqual(fold(started(1), exited(5, false), started(6), exited(7, true)), SessionHistory.none)
  })

  it("counts stops, which nothing takes back", () => {
    assert.strictEqual(fold(stop, started(1), exited(2, true), stop).stops, 2)
    assert.strictEqual(SessionHistory.stopped(fold(stop)).stops, 2)
  })

  it("is left as it is by all other events", () => {
    const history = fold(started(1), exited(5, false))
    assert.strictEqual(SessionHistory.after(history, { type: "session.start.requested", threadId: a, at: 6 }), history)
  })
})
