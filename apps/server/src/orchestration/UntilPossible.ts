/** Waiting for a disk that refuses for a passing reason: full, locked by another program, not writable now. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { StorageError } from "../storage/StorageError.ts"

/** Repeats the effect until it succeeds, or fails for good. Goes around a lane, so that commands are told of it meanwhile. */
export const untilPossible = <A, R>(effect: Effect.Effect<A, StorageError, R>): Effect.Effect<A, StorageError, R> =>
  effect.pipe(
    Effect.tapError((error) => Effect.logWarning(error.message)),
    Effect.retry({
      while: (error) => error.passing,
      schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])
    })
  )
