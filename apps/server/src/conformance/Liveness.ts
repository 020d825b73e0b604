/** Whether an agent goes on after it was told something odd. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Greeted } from "./Examinee.ts"
import { broken, holds, quirk, words } from "./Probe.ts"
import { answerOf, type Line } from "./Wire.ts"

/** A method that no agent has. */
export const unknownMethod = "_signalbox/no_such_method"
/** Whether it still answers: most agents refuse an unknown method, and all open sessions. */
const lives = Effect.fnUntraced(function* ({ opening, wire }: Greeted) {
  const refused = yield* wire.ask(unknownMethod, {}, "3 seconds")
  if (refused.type === "error" || refused.type === "result") return true
  if (refused.type === "gone") return false
  const { type } = (yield* opening).answer
  return type === "error" || type === "result"
})

/** Says a line that is no good; sees what is answered to nobody, and whether it goes on. */
export const afterBadLine = Effect.fnUntraced(function* (agent: Greeted, line: string) {
  const since = agent.wire.lines().length
  yield* agent.wire.say(line)
  const alive = yield* lives(agent)
  const answered = yield* agent.wire.next(answersNobody, "100 millis", since)
  return { alive, answer: Option.map(answered, answerOf) }
})

/** An error whose `id` is null or missing: JSON-RPC 2.0 §5. */
const answersNobody = ({ message }: Line): boolean =>
  Predicate.isObject(message) && Predicate.isObject(message["error"]) && (message["id"] ?? null) === null

/** A notification that is none of the agent's business. */
export const ignored = (method: string, params: unknown) =>
  Effect.fnUntraced(function* (agent: Greeted) {
    const { alive, answer } = yield* afterBadLine(agent, JSON.stringify({ jsonrpc: "2.0", method, params }))
    if (!alive) return broken("stops answering", "It does not get over it.")
    return Option.isNone(answer) ? holds("ignored") : quirk(words(answer.value), "A notification is never answered.")
  })
