/** Watches over a start: what it waits for, that it is slow, and that an answer takes too long. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ProviderError } from "../Services/ProviderError.ts"
import type { StartSession } from "../Services/ProviderAdapter.ts"

/** Where a start is. Written by the start, read when it turns out to be slow. */
export interface StartWatch {
  /** As `SlowStart.waitingFor`. */
  waitingFor: string
  stderrTail: () => ReadonlyArray<string>
}

/** Runs a start under watch; says it once if it is not done after this time. */
export const watched = <A, E, R>(
  onSlow: StartSession["onSlow"],
  after: Duration.Duration,
  start: (watch: StartWatch) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const watch: StartWatch = { waitingFor: "launch", stderrTail: () => [] }
    if (onSlow === undefined) return start(watch)
    const tell = Effect.sync(() => {
      const { stderrTail, waitingFor } = watch
      onSlow({ afterMs: Duration.toMillis(after), waitingFor, stderrTail: stderrTail() })
    })
    return Effect.raceFirst(start(watch), Effect.andThen(Effect.delay(tell, after), Effect.never))
  })

/** Waits for the agent's answer to a call, and fails when it takes too long. */
export const limit =
  (watch: StartWatch, duration: Duration.Duration, timeout: (method: string) => ProviderError) =>
  (method: string) =>
  <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | ProviderError> =>
    Effect.suspend(() => {
      watch.waitingFor = method
      return Effect.timeoutOrElse(call, { duration, orElse: () => Effect.fail(timeout(method)) })
    })
