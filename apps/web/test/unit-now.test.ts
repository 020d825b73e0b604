import { assert, describe, it } from "@effect/vitest"
import { RequestId } from "@signalbox/contracts/Ids"
import { nowState, queuedTurns } from "../src/composer/nowState.ts"
import {
  asked,
  at,
  completed,
  dispatched,
  elicited,
  exited,
  queued,
  ran,
  restarting,
  said,
  sessionStarted,
  slow,
  startRequested,
  stopped,
  waitingToStart,
  thread
} from "./fixtures/thread.ts"

describe("the now-line", () => {
  it("says that a prompt was sent until the agent gives a sign", () => {
    const { sign, what, word } = nowState(thread(queued(1), dispatched(2)), at(5))
    assert.deepStrictEqual([word, what, sign], ["Sent", "at 14:02:13, not yet confirmed by Cursor", undefined])
  })

  it("names what is open at the end of the transcript", () => {
    const writing = nowState(thread(queued(1), dispatched(2), said(3, "Hello")), at(3.4))
    assert.deepStrictEqual([writing.what, writing.sign], ["writing text", "last sign of life 0.4 s ago"])
    const running = nowState(thread(queued(1), dispatched(2), said(3, "Hello"), ran(4, "pnpm test")), at(4))
    assert.deepStrictEqual([running.what, running.subject], ["Running", "pnpm test"])
  })

  it("counts tools that run at the same time", () => {
    const { what } = nowState(
      thread(queued(1), dispatched(2), ran(3, "a"), ran(4, "b", { toolCallId: "other" })),
      at(4)
    )
    assert.strictEqual(what, "Running, and 1 more at the same time:")
  })

  it("shows no invisible character of a command, and none of the agent's own words", () => {
    const hidden = nowState(thread(queued(1), dispatched(2), ran(3, "echo \u202egnp.exe")), at(4))
    assert.notInclude(hidden.subject, "\u202e")
    const titled = nowState(thread(queued(1), dispatched(2), ran(3, "", { subject: { type: "none" } })), at(4))
    assert.notInclude(`${titled.what} ${titled.subject}`, "own words")
  })

  it.each([
    [9.9, false, undefined],
    [10, true, undefined],
    [39.9, true, undefined],
    [40, true, true]
  ] as const)("after %s s of silence: halo still %s, said aloud %s", (seconds, still, silent) => {
    const state = nowState(thread(queued(0), dispatched(0), ran(0, "pnpm build")), at(seconds))
    assert.deepStrictEqual([state.still, state.silent], [still, silent])
  })

  it("says for how long nothing was heard, and what came last", () => {
    const state = nowState(thread(queued(0), dispatched(0), ran(1, "pnpm build")), at(91))
    assert.deepStrictEqual(
      [state.what, state.subject, state.sign],
      ["silent for 1 m 30 s, last: Running", "pnpm build", "started 14:02:12"]
    )
  })

  it("counts down to the end of the process after Stop", () => {
    const view = thread(queued(0), dispatched(0), said(1, "x"), stopped(10))
    assert.strictEqual(nowState(view, at(11)).what, "7 s until its process is killed")
    assert.strictEqual(nowState(view, at(19)).what, "killing the process")
  })

  it("says how many agents start before this one, until it is its turn", () => {
    const nowOf = (...waiting: ReadonlyArray<ReturnType<typeof waitingToStart>>) => {
      const { what, word } = nowState(thread(startRequested(0), queued(0), ...waiting), at(2))
      return [word, what]
    }
    const first = waitingToStart(1, 57)
    assert.deepStrictEqual(nowOf(first), ["Waiting to start", "57 agents are ahead"])
    assert.deepStrictEqual(nowOf(first, waitingToStart(2, 1)), ["Waiting to start", "1 agent is ahead"])
    assert.deepStrictEqual(nowOf(first, waitingToStart(2, 0)), ["Queued", "until Cursor has started"])
  })

  it("says what an agent that starts slowly has not answered", () => {
    const { session, ...view } = thread(startRequested(0), slow(10, "session/new"))
    const state = nowState({ ...view, session }, at(12))
    assert.deepStrictEqual(
      [state.word, state.what, state.subject],
      ["Starting slowly", "Cursor is taking longer than usual: over 10 s, waiting for", "session/new"]
    )
  })

  it("says what a prompt waits for before there is an agent", () => {
    const { what, word } = nowState(thread(startRequested(0), queued(1)), at(2))
    assert.deepStrictEqual([word, what], ["Queued", "until Cursor has started"])
    assert.strictEqual(nowState(thread(sessionStarted(0), queued(1)), at(2)).what, "starts in a moment")
  })

  it("leaves a prompt to be shown in the queue unless it starts in a moment", () => {
    assert.lengthOf(queuedTurns(thread(startRequested(0), queued(1))), 1)
    assert.lengthOf(queuedTurns(thread(sessionStarted(0), queued(1))), 0)
    assert.lengthOf(queuedTurns(thread(sessionStarted(0), queued(1), exited(2), restarting(2, 1, 3))), 1)
  })

  it("counts down to the next start of an agent that ended by itself", () => {
    const view = thread(sessionStarted(0), queued(1), dispatched(1), completed(4), exited(5), restarting(5, 3, 9))
    const words = (seconds: number) => {
      const { sign, what, word } = nowState(view, at(seconds))
      return [word, what, sign]
    }
    assert.deepStrictEqual(words(6), ["Ended by itself", "trying again in 3 s", "3rd time"])
    assert.deepStrictEqual(words(9), ["Ended by itself", "trying again now", "3rd time"])
  })

  it("waits for as many answers as are open", () => {
    const one = thread(queued(0), dispatched(0), asked(5))
    assert.deepStrictEqual(
      [nowState(one, at(6)).what, nowState(one, at(6)).sign],
      ["for your answer", "asked 14:02:16"]
    )
    assert.strictEqual(nowState(thread(queued(0), dispatched(0), asked(5), asked(6)), at(7)).what, "for 2 answers")
  })

  it("waits for an answer that an agent wants after its turn, and is not ready", () => {
    const view = thread(sessionStarted(0), queued(1), dispatched(1), completed(4), asked(5))
    const { sign, what, word } = nowState(view, at(9))
    assert.deepStrictEqual([word, what, sign], ["Waiting", "for your answer", "asked 14:02:16"])
  })

  it("is ready after a turn, and says when the next prompt starts the agent again", () => {
    const view = thread(sessionStarted(0), queued(1), dispatched(1), completed(4))
    assert.deepStrictEqual([nowState(view, at(9)).word, nowState(view, at(9)).what], ["Ready", "for the next prompt"])
    const ended = { ...view, session: { ...view.session, state: "exited" as const } }
    assert.strictEqual(nowState(ended, at(9)).what, "for the next prompt, which starts Cursor again")
  })
})

describe("a turn that waits for people elsewhere", () => {
  const url = (seconds: number) => ({
    type: "url" as const,
    requestId: RequestId.make("address"),
    message: "Sign in",
    elicitationId: "e1",
    url: "https://example.com",
    at: at(seconds)
  })
  const answeredAt = (seconds: number, type: "accept" | "reject") =>
    thread(queued(1), dispatched(2), ...elicited(3, url(3), { type: "answered", response: { type } }, seconds))

  it("is not silent, and says where people are waited for", () => {
    const { lamp, silent, what } = nowState(answeredAt(5, "accept"), at(500))
    assert.deepStrictEqual([lamp, what, silent], ["waiting", "for you, at the address that you opened", undefined])
  })

  it("is silent again where they declined, or once the agent went on", () => {
    assert.isTrue(nowState(answeredAt(5, "reject"), at(500)).silent)
    const view = answeredAt(5, "accept")
    assert.isTrue(nowState({ ...view, lastSignAt: at(9) }, at(500)).silent)
  })
})
