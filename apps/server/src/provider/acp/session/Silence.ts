/** Waits for an agent to have said nothing for a while. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RunningAgent } from "../../agent/RunningAgent.ts"

/** A history may be long, but an agent that is never silent can't be waited for. */
const patience = Duration.seconds(10)

/**
 * Nothing but the silence shows that a history is at its end. A prompt sent into the middle of it can't be told from it. `silence` is asked
 * again after each wait: how much is needed depends on what has come. Returns whether it came about.
 */
export const wait = Effect.fnUntraced(function* (
  { lastSignAt }: Pick<RunningAgent, "lastSignAt">,
  silence: () => Duration.Duration
) {
  const silent = Effect.gen(function* () {
    while (true) {
      const needed = Duration.toMillis(silence())
      const left = lastSignAt() + needed - (yield* Clock.currentTimeMillis)
      if (left <= 0) return
      // A clock that is set back makes no silence longer.
      yield* Effect.sleep(Math.min(left, needed))
    }
  })
  return Option.isSome(yield* Effect.timeoutOption(silent, patience))
})
