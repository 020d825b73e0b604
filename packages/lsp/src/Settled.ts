/** Waits for a silence after something that happens again and again. */
import * as Effect from "effect/Effect"

export interface Options {
  /** Counts what happens. */
  readonly count: () => number
  /** How long nothing must happen, and how long that is waited for at most, in milliseconds. */
  readonly silence: number
  readonly longest: number
}

export const settled = ({ count, longest, silence }: Options): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let waited = 0; waited < longest; waited += silence) {
      const before = count()
      yield* Effect.sleep(silence)
      if (count() === before) return
    }
  })
