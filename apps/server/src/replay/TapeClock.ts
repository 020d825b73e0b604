/**
 * A clock with the times of the tape. It advances with the replay, however long that takes in real time. So timeouts
 * last as long as in the recording, and what was in time then is in time now.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface TapeClock {
  readonly clock: Clock.Clock
  /**
   * Stops the clock at this time, in milliseconds since 1970. It may be earlier than before, if another tape begins.
   */
  readonly hold: (at: number) => void
  /** Advances to this time, never back. Also wakes sleepers that would wait at most `early` milliseconds longer. */
  readonly moveTo: (at: number, early?: number) => void
  /** Lets the clock run in real time from now on. The end of a process takes real time. */
  readonly run: () => void
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
  timer: NodeJS.Timeout | undefined
}

const nanosPerMilli = 1_000_000n

export const make = (): TapeClock => {
  const sleepers = new Set<Sleeper>()
  let held = 0
  /** The real time when the clock began to run. */
  let ranSince: number | undefined

  const now = (): number => (ranSince === undefined ? held : held + Math.floor(performance.now() - ranSince))
  const nanos = () => BigInt(now()) * nanosPerMilli

  const wind = (sleeper: Sleeper) => {
    sleeper.timer = setTimeout(sleeper.wake, sleeper.until - now())
  }
  const halt = () => {
    held = now()
    ranSince = undefined
    for (const { timer } of sleepers) clearTimeout(timer)
  }

  const sleep = (duration: Duration.Duration): Effect.Effect<void> =>
    Effect.callback((resume) => {
      if (Duration.toMillis(duration) === Number.POSITIVE_INFINITY) return
      const sleeper: Sleeper = {
        until: now() + Duration.toMillis(duration),
        wake: () => {
          sleepers.delete(sleeper)
          resume(Effect.void)
        },
        timer: undefined
      }
      if (sleeper.until <= now()) return resume(Effect.void)
      sleepers.add(sleeper)
      if (ranSince !== undefined) wind(sleeper)
      return Effect.sync(() => {
        sleepers.delete(sleeper)
        clearTimeout(sleeper.timer)
      })
    })

  return {
    clock: {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep
    },
    hold: (at) => {
      halt()
      held = at
    },
    moveTo: (at, early = 0) => {
      if (at > now()) {
        halt()
        held = at
      }
      for (const sleeper of sleepers) if (sleeper.until <= held + early) sleeper.wake()
    },
    run: () => {
      if (ranSince !== undefined) return
      ranSince = performance.now()
      for (const sleeper of sleepers) wind(sleeper)
    }
  }
}
