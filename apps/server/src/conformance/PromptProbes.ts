/** What an agent does with prompts (ACP v1, prompt turn). Every probe here asks the model for as little as possible. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { claimed, reopening } from "./Claims.ts"
import type { Examinee } from "./Examinee.ts"
import type { OpenSession } from "./OpenSession.ts"
import { seconds } from "./Limits.ts"
import { updateIn, updatesIn } from "./Messages.ts"
import {
  broken,
  type Finding,
  holds,
  type Probe,
  promptProbe,
  quirk,
  saying,
  showing,
  tookTooLong,
  untried,
  wantsLogin,
  withoutSession,
  withSpare,
  words
} from "./Probe.ts"
import { promptOf, type Turn } from "./Turn.ts"
import type { Line } from "./Wire.ts"
import { wordOf } from "./WordOf.ts"

const stopReasons: ReadonlySet<unknown> = new Set([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled"
])
/** Milliseconds. A turn that ends sooner after a cancel may have ended without it. */
const tooSoon = 200
/** A prompt with an answer that is long enough to be cancelled. */
const longPrompt = "Count from 1 to 300, one number on each line, and do nothing else."

const updatesOf = ({ lines, session: { sessionId } }: Turn) => updatesIn(lines, sessionId)

const answered = ({ answer, firstMs }: Turn): Finding => {
  const finding = showing((answer) => {
    if (answer.type !== "result") return broken(words(answer), "It does not answer a prompt.")
    const { stopReason } = answer.result
    return stopReasons.has(stopReason)
      ? holds(wordOf(stopReason))
      : quirk(wordOf(stopReason), "The reason for its end is none that the protocol has.")
  })(answer)
  return { ...finding, ...(firstMs !== undefined && { durationMs: firstMs }) }
}

const messageIds = (turn: Turn): Finding => {
  const pieces = updatesOf(turn).filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
  if (pieces.length === 0) return untried("it says nothing")
  const named = pieces.filter(({ messageId }) => typeof messageId === "string").length
  if (named === 0) return holds("none")
  return named === pieces.length ? holds("on every piece") : quirk("on some pieces", "Some pieces have no id.")
}

const usage = (turn: Turn): Finding => {
  const { answer } = turn
  if (answer.type === "result" && Predicate.isObject(answer.result["usage"])) return holds("with the answer")
  return updatesOf(turn).some(({ sessionUpdate }) => sessionUpdate === "usage_update")
    ? holds("by updates")
    : holds("not reported")
}

const title = (turn: Turn): Finding =>
  updatesOf(turn).some(
    ({ sessionUpdate, title }) => sessionUpdate === "session_info_update" && typeof title === "string"
  )
    ? holds("reported")
    : holds("not reported")

const late = ({ answer, lines, session: { sessionId } }: Turn): Finding => {
  if (answer.type !== "result") return untried("there was no answer")
  const after = updatesIn(
    lines.filter(({ number }) => number > answer.line.number),
    sessionId
  )
  const said = after.filter(({ sessionUpdate }) => /_chunk$|^tool_call/.test(wordOf(sessionUpdate)))
  return said.length === 0
    ? holds("none")
    : quirk(`${said.length} behind the answer`, "What belongs to a turn comes after its end.")
}

/** Waits for the first update of the turn, but not for long. */
const begun = ({ agent: { wire }, sessionId }: OpenSession, since: number) =>
  wire.next((line) => updateIn(line, sessionId) !== undefined, "3 seconds", since)

const cancelled = Effect.fnUntraced(function* (session: OpenSession, { limits }: Examinee) {
  const { wire } = session.agent
  const since = wire.lines().length
  const turn = yield* Effect.forkChild(wire.ask("session/prompt", promptOf(session, longPrompt), "5 minutes"))
  yield* Effect.yieldNow
  yield* begun(session, since)
  const began = yield* Clock.currentTimeMillis
  yield* wire.notify("session/cancel", { sessionId: session.sessionId })
  const ended = yield* Effect.timeoutOption(Fiber.join(turn), limits().cancel)
  if (Option.isNone(ended))
    return broken("goes on", `${seconds(limits().cancel)} after a cancel the turn has not ended.`)
  const answer = ended.value
  const durationMs = (yield* Clock.currentTimeMillis) - began
  if (answer.type === "result" && answer.result["stopReason"] === "cancelled")
    return { ...holds("cancelled"), durationMs }
  if (answer.type === "result" && durationMs < tooSoon) return untried("it was done before")
  const seen = answer.type === "result" ? wordOf(answer.result["stopReason"]) : words(answer)
  const odd = { ...quirk(seen, "A turn that was cancelled is to end as cancelled."), durationMs }
  return wantsLogin(answer) ? saying(answer, untried("it needs a sign-in")) : saying(answer, odd)
})

/** Sends a second prompt during a turn. The protocol doesn't define what happens, and agents differ. */
const second = Effect.fnUntraced(function* (session: OpenSession) {
  const { wire } = session.agent
  const since = wire.lines().length
  const first = yield* Effect.forkChild(wire.ask("session/prompt", promptOf(session, longPrompt), "90 seconds"))
  yield* Effect.yieldNow
  yield* begun(session, since)
  if (first.pollUnsafe() !== undefined) return untried("the first was done before")
  const next = yield* wire.ask("session/prompt", promptOf(session, "Reply with the single word: second"), "90 seconds")
  yield* wire.notify("session/cancel", { sessionId: session.sessionId })
  const before = yield* Fiber.join(first)
  if (wantsLogin(before)) return saying(before, untried("it needs a sign-in"))
  if (next.type === "error") return saying(next, holds(`the second is ${words(next)}`))
  if (next.type === "silence") return tookTooLong(next.waitedMs)
  if (next.type !== "result") return broken(words(next), "The second is never answered.")
  if (before.type !== "result")
    return saying(before, quirk(words(before), "The first is not answered as it should be."))
  if (before.line.number > next.line.number) return holds("the second goes first")
  return holds(before.result["stopReason"] === "cancelled" ? "the first is cancelled" : "one after the other")
})

/**
 * Whether another process reports the history after the first process has ended. The protocol wants it before the
 * answer; some agents send it afterwards.
 */
const reloaded = Effect.fnUntraced(function* (examinee: Examinee) {
  const { another, folder, turn } = examinee
  const said = yield* turn
  if (Option.isNone(said)) return yield* withoutSession(examinee)
  const { agent, sessionId } = said.value.session
  if (!claimed(agent, "session/load")) return untried("it loads none")
  if (said.value.answer.type !== "result") return untried("nothing was said")
  const { wire } = yield* another()
  const answer = yield* wire.ask("session/load", reopening(folder, sessionId))
  if (answer.type === "result") yield* wire.next(() => false, "1 second")
  return showing((answer): Finding => {
    if (answer.type !== "result")
      return broken(words(answer), "It does not load what was said in another process.", true)
    const pieces = (lines: ReadonlyArray<Line>) =>
      updatesIn(lines, sessionId).filter(({ sessionUpdate }) => wordOf(sessionUpdate).endsWith("message_chunk")).length
    const end = answer.line.number
    const behind = pieces(wire.lines().filter(({ number }) => number > end))
    if (behind > 0)
      return quirk(`${behind} pieces behind the answer`, "What was said is to come before the answer.", true)
    return pieces(wire.lines().filter(({ number }) => number < end)) > 0
      ? holds("sends what was said", true)
      : quirk("sends nothing", "It loads a session without sending what was said in it.", true)
  }, true)(answer)
})

const afterTurn =
  (look: (turn: Turn) => Finding): Probe["look"] =>
  (examinee) =>
    Effect.flatMap(examinee.turn, (turn) =>
      Option.isSome(turn) ? Effect.succeed(look(turn.value)) : withoutSession(examinee)
    )

export const promptProbes: ReadonlyArray<Probe> = [
  promptProbe("answer", "Answers a prompt", afterTurn(answered)),
  promptProbe("message-ids", "Ids of messages", afterTurn(messageIds)),
  promptProbe("usage", "Usage", afterTurn(usage)),
  promptProbe("title", "Title", afterTurn(title)),
  promptProbe("late-updates", "Updates after the end", afterTurn(late)),
  promptProbe("reload", "Loads what was said", reloaded),
  promptProbe("cancel", "Cancels a turn", withSpare(cancelled)),
  promptProbe("second", "Two prompts at once", withSpare(second))
]
