/** Whether an agent still answers after it received something odd. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Examinee } from "./Examinee.ts"
import type { Greeted } from "./OpenSession.ts"
import { broken, type Finding, holds, quirk, tookTooLong, words } from "./Probe.ts"
import { answerOf, type Answer, type Line } from "./Wire.ts"

/** A method that no agent has. */
export const unknownMethod = "_signalbox/no_such_method"

/**
 * `gone`: the process has ended. `silent`: it answers nothing, although a new process does. `slow`: neither answers.
 */
export type Liveness = "lives" | "gone" | "silent" | "slow"

/**
 * Tests a process with an unknown method, then with `session/new`. Most agents refuse the first, and nearly all answer
 * the second.
 */
export const liveness = Effect.fnUntraced(function* ({ wire }: Greeted, { fresh, introduction, limits }: Examinee) {
  const told = ({ type }: Answer) => type === "error" || type === "result"
  const refused = yield* wire.ask(unknownMethod, {}, limits().refusal)
  if (told(refused)) return "lives"
  if (refused.type === "gone") return "gone"
  // Some agents never answer an unknown method. With these parameters, `session/new` is refused or opens a session.
  const opening = yield* wire.ask("session/new", {}, limits().answer)
  if (told(opening)) return "lives"
  if (opening.type === "gone") return "gone"
  // Some agents answer neither. The old process is silent only if a new process answers the same requests.
  const control = yield* Effect.scoped(
    Effect.gen(function* () {
      const { wire } = yield* fresh
      const hello = yield* wire.ask("initialize", introduction(1), limits().initialize)
      if (!told(hello)) return hello
      return yield* Effect.raceFirst(
        wire.ask(unknownMethod, {}, limits().answer),
        wire.ask("session/new", {}, limits().answer)
      )
    })
  )
  return told(control) ? "silent" : "slow"
})

/** Sends an invalid line. Reports an error without an id, if one came, and whether the agent still answers. */
export const afterBadLine = Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee, line: string) {
  const since = agent.wire.lines().length
  yield* agent.wire.say(line)
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
export const ignored = (method: string, params: unknown) =>
  Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee) {
    const line = JSON.stringify({ jsonrpc: "2.0", method, params })
    const { answer, state } = yield* afterBadLine(agent, examinee, line)
    if (state !== "lives") return stopped(state, examinee)
    return Option.isNone(answer) ? holds("ignored") : quirk(words(answer.value), "A notification is never answered.")
  })
