/** What an agent does after a message that has no answer: it ignores it, answers nevertheless, or does not get over it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Examinee } from "./Examinee.ts"
import { type Liveness, liveness } from "./Liveness.ts"
import type { Greeted } from "./OpenSession.ts"
import { broken, type Finding, holds, quirk, tookTooLong, words } from "./Probe.ts"
import { answerOf, type Line } from "./Wire.ts"

/** Sends an invalid line. Reports an error without an id, if one came, and whether the agent still answers. */
export const afterBadLine = (agent: Greeted, examinee: Examinee, line: string) =>
  after(agent, examinee, agent.wire.say(line))

/** Sends what has no answer. Reports an error without an id, if one came, and whether the agent still answers. */
const after = Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee, send: Effect.Effect<void>) {
  const since = agent.wire.lines().length
  yield* send
  const state: Liveness = yield* liveness(agent, examinee)
  const answered = yield* agent.wire.next(answersNobody, "100 millis", since)
  // The next probe needs a process that answers.
  if (state !== "lives") yield* examinee.renew
  return { state, answer: Option.map(answered, answerOf) }
})

/** The finding for an agent that does not answer any more after something odd. */
export const stopped = (state: Exclude<Liveness, "lives">, { limits }: Examinee): Finding => {
  if (state === "slow") return tookTooLong(limits().answer)
  return broken(
    state === "gone" ? "ends" : "stops answering",
    state === "gone" ? "It does not get over it." : "It does not get over it, while a new process of it answers."
  )
}

/** An error whose `id` is null or missing: JSON-RPC 2.0 §5. */
const answersNobody = ({ message }: Line): boolean =>
  Predicate.isObject(message) && Predicate.isObject(message["error"]) && (message["id"] ?? null) === null

/** Probes whether the agent ignores a notification that it doesn't know. */
export const ignored = (method: string, params: unknown) => (agent: Greeted, examinee: Examinee) =>
  withoutAnswer(agent, examinee, agent.wire.notify(method, params), "ignored")

/** Probes whether the agent takes notifications without an answer. `taken`: the words for that. */
export const withoutAnswer = Effect.fnUntraced(function* (
  agent: Greeted,
  examinee: Examinee,
  send: Effect.Effect<void>,
  taken: string
) {
  const { answer, state } = yield* after(agent, examinee, send)
  if (state !== "lives") return stopped(state, examinee)
  return Option.isNone(answer) ? holds(taken) : quirk(words(answer.value), "A notification is never answered.")
})
