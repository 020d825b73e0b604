/** How long the parts of a session may take. */
import * as Duration from "effect/Duration"
import type { StopGrace } from "@signalbox/process/Program"

export interface StartLimits {
  /** After this a start is called slow: `StartSession.onSlow`. */
  readonly slow: Duration.Duration
  /** A start that shows no progress for so long is given up. */
  readonly start: Duration.Duration
}

export interface Timing extends StartLimits {
  /** How long an agent may take to end a turn that it was told to stop. */
  readonly cancelGrace: Duration.Duration
  /** How long the agent may take to end after each way of asking it. The profile says so unless this is given. */
  readonly stop?: StopGrace
  /** Silence after a `session/load` response before late history is considered complete. */
  readonly silence: Duration.Duration
  /** How long it has to be silent behind that answer where nothing says that more is to come. */
  readonly noHistory: Duration.Duration
}

export const defaultTiming: Timing = {
  slow: Duration.seconds(10),
  start: Duration.seconds(30),
  cancelGrace: Duration.seconds(8),
  silence: Duration.millis(300),
  noHistory: Duration.millis(100)
}
