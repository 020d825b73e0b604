/**
 * Time as it was on the tape. It moves when the replay gets on, however long that takes now; so that what waits for a time waits as long as
 * it did. What happened in time then is in time now.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface TapeClock {
  readonly clock: Clock.Clock
  /** Stands still at this moment, milliseconds since 1970. It may be earlier than the one before: another tape begins. */
  readonly hold: (at: number) => void
  /** Moves on to this moment, never back. Who waits until at most `early` milliseconds later need not wait any longer. */
  readonly moveTo: (at: number, early?: number) => void
  /** From now on it runs as every clock: for processes that end, which no tape makes faster. */
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
  /** What real time was when it began to run. */
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
