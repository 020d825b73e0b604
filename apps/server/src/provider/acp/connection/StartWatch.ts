/** Watches over a start: what it waits for, that it is slow, and that it does not get on any more. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"
import { type Heard } from "./LastWords.ts"
import { startTimeout } from "./TimeoutProblems.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type { StartLimits } from "../profile/SessionTiming.ts"

/** How far a start is. The start reports it; it is read when the start is slow or stands still. */
export interface StartWatch {
  /** The start goes on, to wait for this: as `SlowStart.waitingFor`. It may take longer than other steps, where `within` says so. */
  readonly step: (waitingFor: string, within?: Duration.Duration) => void
  /** What it waits for is under way. */
  readonly progress: () => void
  /** What `step` named last. */
  readonly waitsFor: () => string
  /** It is people's turn: until they have answered, nothing is expected of the agent. */
  readonly forPeople: <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  heard: () => Heard
}

/** Runs a start under watch: says once if it is slow, and fails when it stands still. */
export const watched = Effect.fnUntraced(function* <A, E, R>(
  profile: Pick<AgentProfile, "name" | "explain" | "explainExit">,
  onSlow: StartSession["onSlow"],
  limits: StartLimits,
  start: (watch: StartWatch) => Effect.Effect<A, E, R>
): Effect.fn.Return<A, E | ProviderError, R> {
  const clock = yield* Clock.Clock
  // Not the time of day, which people and networks set.
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  let limit = limits.start
  let waitingFor = "launch"
  let last = now()
  /** Answers that people owe. */
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
    // No longer than that at a time: a later step may allow less than the one of now.
    for (let left = usual; left > 0; left = Duration.toMillis(limit) - (owed > 0 ? 0 : now() - last))
      yield* Effect.sleep(Math.min(left, usual))
    return yield* startTimeout(profile, waitingFor, Duration.toSeconds(limit), watch.heard())
  })
  return yield* Effect.raceAllFirst([start(watch), Effect.delay(tell, limits.slow), giveUp])
})
