/** Whether an agent still answers after it received something odd. */
import * as Effect from "effect/Effect"
import type { ProviderError } from "../base/ProviderError.ts"
import type { Greeted } from "./OpenSession.ts"
import type { Processes } from "./Processes.ts"
import type { Answer } from "./Wire.ts"

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
export const liveness = Effect.fnUntraced(function* (
  { wire }: Greeted,
  { fresh, introduction, limits }: Processes
): Effect.fn.Return<Liveness, ProviderError> {
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
