/** Waits until an agent has sent nothing for a while. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RunningAgent } from "../../agent/RunningAgent.ts"

/** Longest wait: a history may be long, but an agent that is never silent can't be awaited. */
const patience = Duration.seconds(10)

/**
 * Waits for silence, since nothing else shows that a history is complete. A prompt sent earlier would look like a part
 * of the history. `silence` is called again after each wait, since the needed time depends on what has come. Returns
 * whether the agent became silent.
 */
export const wait = Effect.fnUntraced(function* (
  { lastSignAt }: Pick<RunningAgent, "lastSignAt">,
  silence: () => Duration.Duration
) {
  const silent = Effect.gen(function* () {
    // A process that was held up has not read yet what the agent wrote meanwhile. It reads that while this fiber yields.
    let hasYielded = false
    while (true) {
      const needed = Duration.toMillis(silence())
      const left = lastSignAt() + needed - (yield* Clock.currentTimeMillis)
      if (left <= 0) {
        if (hasYielded) return
        hasYielded = true
        yield* Effect.yieldNow
        continue
      }
      hasYielded = false
      // The needed time is the limit, so that a clock that was set back makes no wait longer.
      yield* Effect.sleep(Math.min(left, needed))
    }
  })
  return Option.isSome(yield* Effect.timeoutOption(silent, patience))
})
