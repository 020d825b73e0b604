/** Time limits for the parts of a session. */
import * as Duration from "effect/Duration"
import type { StopGrace } from "@signalbox/process/Program"

export interface StartLimits {
  /** Time after which a start is called slow: `StartSession.onSlow`. */
  readonly slow: Duration.Duration
  /** Time without progress after which a start is ended. */
  readonly start: Duration.Duration
}

export interface Timing extends StartLimits {
  /** Time that an agent has to end a turn after `session/cancel`. */
  readonly cancelGrace: Duration.Duration
  /** Time that the agent has to end after each request to end. The profile's value counts by default. */
  readonly stop?: StopGrace
  /** Silence after a `session/load` response before late history is considered complete. */
  readonly silence: Duration.Duration
  /** Silence after a `session/load` response if nothing indicates late history. */
  readonly noHistory: Duration.Duration
}

export const defaultTiming: Timing = {
  slow: Duration.seconds(10),
  start: Duration.seconds(30),
  cancelGrace: Duration.seconds(8),
  silence: Duration.millis(300),
  noHistory: Duration.millis(100)
}
