/** Waits for a disk that refuses temporarily: it is full, locked by another program, or not writable now. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { StorageError } from "../storage/StorageError.ts"

/**
 * Repeats the effect until it succeeds or fails permanently. Used outside of a lane, so that commands fail with the
 * problem in the meantime.
 */
export const untilPossible = <A, R>(effect: Effect.Effect<A, StorageError, R>): Effect.Effect<A, StorageError, R> =>
  effect.pipe(
    Effect.tapError((error) => Effect.logWarning(error.message)),
    Effect.retry({
      while: (error) => error.passing,
      schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])
    })
  )
