/** Watches a start: which step it waits for, whether it is slow, and whether it has stopped making progress. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"
import { type Heard } from "./LastWords.ts"
import { startTimeout } from "./TimeoutProblems.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type { StartLimits } from "../profile/SessionTiming.ts"

/** The progress of a start. The start reports it, and the watch reads it if the start is slow or stuck. */
export interface StartWatch {
  /** Begins the next step, which waits for `waitingFor`, as in `SlowStart`. `within`: a longer limit than usual. */
  readonly step: (waitingFor: string, within?: Duration.Duration) => void
  /** Reports progress within the present step. */
  readonly progress: () => void
  /** The name of the present step. */
  readonly waitsFor: () => string
  /** Waits for people. Until they have answered, no progress is expected of the agent. */
  readonly forPeople: <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  heard: () => Heard
}

/** Runs a start under watch: reports once if it is slow, and fails if it makes no progress. */
export const watched = Effect.fnUntraced(function* <A, E, R>(
  profile: Pick<AgentProfile, "name" | "explain" | "explainExit">,
  onSlow: StartSession["onSlow"],
  limits: StartLimits,
  start: (watch: StartWatch) => Effect.Effect<A, E, R>
): Effect.fn.Return<A, E | ProviderError, R> {
  const clock = yield* Clock.Clock
  // Uses the monotonic clock, since people and networks change the time of day.
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  let limit = limits.start
  let waitingFor = "launch"
  let last = now()
  /** The number of answers that people still owe. */
  let owed = 0
  const progress = () => {
    last = now()
  }
  const watch: StartWatch = {
    step: (next, within = limits.start) => {
      waitingFor = next
      limit = Duration.max(within, limits.start)
      progress()
    },
    progress,
    waitsFor: () => waitingFor,
    forPeople: (answer) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          owed += 1
        }),
        () => answer,
        () =>
          Effect.sync(() => {
            owed -= 1
            progress()
          })
      ),
    heard: () => ({ stderrTail: [], stderrLines: 0, stray: [] })
  }

  const tell = Effect.suspend(() => {
    onSlow?.({ afterMs: Duration.toMillis(limits.slow), waitingFor, stderrTail: watch.heard().stderrTail })
    return Effect.never
  })
  const giveUp = Effect.gen(function* () {
    const usual = Duration.toMillis(limits.start)
    // Sleeps no longer than the usual limit, since the next step may have a shorter limit than the present one.
    for (let left = usual; left > 0; left = Duration.toMillis(limit) - (owed > 0 ? 0 : now() - last))
      yield* Effect.sleep(Math.min(left, usual))
    return yield* startTimeout(profile, waitingFor, Duration.toSeconds(limit), watch.heard())
  })
  return yield* Effect.raceAllFirst([start(watch), Effect.delay(tell, limits.slow), giveUp])
})
