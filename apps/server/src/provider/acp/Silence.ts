/** Waits for an agent to have said nothing for a while. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AgentProcess } from "./AgentProcess.ts"

/** A history may be long, but an agent that is never silent can't be waited for. */
const patience = Duration.seconds(10)

/**
 * Nothing but the silence tells that a history is at its end, and a prompt sent into the middle of it can't be told from it. `silence`
 * is asked again after each wait: how much is needed depends on what has come. Returns whether it came about.
 */
export const wait = Effect.fnUntraced(function* (
  { lastSignAt }: Pick<AgentProcess, "lastSignAt">,
  silence: () => Duration.Duration
) {
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
  for (let now = yield* Clock.currentTimeMillis; now < until; now = yield* Clock.currentTimeMillis) {
    const left = lastSignAt() + Duration.toMillis(silence()) - now
    if (left <= 0) return true
    yield* Effect.sleep(Math.min(left, until - now))
  }
  return false
})
