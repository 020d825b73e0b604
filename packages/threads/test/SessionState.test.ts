/** The session of a thread: which state each signal leads to, and what a thread's events make of it. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderSessionId, ResumeToken } from "@signalbox/contracts/Ids"
import { SessionView } from "@signalbox/contracts/ThreadView"
import * as SessionState from "../src/SessionState.ts"
import { type BareRuntime, created, Log, ready, turn } from "./support/Log.ts"

const states = SessionView.fields.state.literals
const problem = { code: "agent-start-failed", title: "", cause: "", evidence: {}, nextSteps: [] } as const

describe("the session of a thread", () => {
  it("moves as the table allows, and in no other way", () => {
    const table: Readonly<Record<SessionState.SessionSignal, ReadonlyArray<SessionState.SessionState | undefined>>> = {
      // From none, starting, ready, exited.
      requested: ["starting", "starting", "starting", "starting"],
      started: ["ready", "ready", "ready", "ready"],
      failed: ["exited", "exited", "exited", "exited"],
      abandoned: [undefined, "exited", undefined, undefined],
      exited: ["exited", "exited", "exited", "exited"],
      replaced: ["exited", "exited", undefined, "exited"]
    }
    assert.deepStrictEqual([...states], ["none", "starting", "ready", "exited"])
    for (const [index, state] of states.entries())
      for (const signal of ["requested", "started", "failed", "abandoned", "exited", "replaced"] as const)
        assert.strictEqual(SessionState.after(state, signal), table[signal][index], `${state}, ${signal}`)
  })

  it("is on while its agent runs or starts", () => {
    assert.deepStrictEqual(states.filter(SessionState.isOn), ["starting", "ready"])
  })

  it("is not ended by the end of the process that it took the place of", () => {
    const other = ProviderSessionId.make("earlier")
    const exited = { type: "session.exited", expected: true } satisfies BareRuntime
    assert.strictEqual(ready().done({ ...exited, providerSessionId: other }).view.session.state, "ready")
    assert.strictEqual(ready().done(exited).view.session.state, "exited")
  })

  it("loses the notes on its start with every signal, and with a stop", () => {
    const noted = () =>
      new Log()
        .said(created, { type: "turn.queued", turnId: turn("one"), prompt: [] }, { type: "session.start.requested" })
        .said({ type: "session.start.waiting", ahead: 2 })
        .said({ type: "session.start.slow", afterMs: 1, waitingFor: "initialize" })
    assert.deepStrictEqual(noted().view.session, {
      state: "starting",
      waiting: { ahead: 2 },
      slow: { afterMs: 1, waitingFor: "initialize" }
    })
    assert.deepStrictEqual(noted().said({ type: "session.start.failed", problem }).view.session, { state: "exited" })
    assert.deepStrictEqual(noted().said({ type: "session.stop.requested" }).view.session, { state: "starting" })
    const failed = noted().said({ type: "turn.failed", turnId: turn("one"), problem })
    assert.deepStrictEqual(failed.view.session, { state: "exited" })
    assert.deepStrictEqual(noted().said({ type: "session.start.requested" }).view.session, { state: "starting" })
  })

  it("goes on where a turn fails that no start was waiting for", () => {
    const log = ready().said({ type: "turn.queued", turnId: turn("one"), prompt: [] })
    assert.strictEqual(log.said({ type: "turn.failed", turnId: turn("one"), problem }).view.session.state, "ready")
  })

  it("is another one after each start", () => {
    const log = ready().said({ type: "session.start.requested" })
    log.done({
      type: "session.started",
      origin: "replaced",
      resumeToken: ResumeToken.make("other"),
      providerSessionId: ProviderSessionId.make("second"),
      capabilities: { rollback: { supported: false, reason: "" }, resume: true, images: false }
    })
    const { providerSessionId, sessionId, state } = log.view.session
    assert.deepStrictEqual<ReadonlyArray<unknown>>([state, providerSessionId, sessionId], ["ready", "second", "other"])
  })
})
