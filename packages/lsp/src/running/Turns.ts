/** Lets a question have a server for itself: one about a text that nobody has. All others are asked side by side. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { Limits } from "./Limits.ts"

export interface Turns {
  /** Asks beside others, and after a question that has the server for itself. */
  readonly beside: <A>(question: Effect.Effect<A, LanguageServerError>) => Effect.Effect<A, LanguageServerError>
  /** Asks when all others are answered. Those that come meanwhile wait, so the time for it is short. */
  readonly alone: <A>(question: Effect.Effect<A, LanguageServerError>) => Effect.Effect<A, LanguageServerError>
}

/** More questions than are ever open at the same time. */
const all = 1_000_000

/** @param tooLate what to fail with when a question has not had its turn, or was not answered in it */
export const make = ({ alone }: Pick<Limits, "alone">, tooLate: () => LanguageServerError): Turns => {
  const turns = Semaphore.makeUnsafe(all)
  return {
    beside: turns.withPermits(1),
    alone: (question) =>
      Effect.timeoutOrElse(turns.withPermits(all)(question), { duration: alone, orElse: () => Effect.fail(tooLate()) })
  }
}
