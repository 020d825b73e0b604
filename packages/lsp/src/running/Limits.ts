/** Limits of a server's time. */
import * as Duration from "effect/Duration"

export interface Limits {
  /** From the start of its program to its answer to `initialize`. */
  readonly start: Duration.Duration
  /** A question waits so long for a server that starts or reads its project. Then it fails with what it waits for. */
  readonly ready: Duration.Duration
  /** The time for an answer. */
  readonly answer: Duration.Duration
  /** The time for a question for which all others wait, and to wait for those before it. */
  readonly alone: Duration.Duration
  /** The time for an answer to `shutdown`, and once more for the end of its program. */
  readonly shutdown: Duration.Duration
}

export const usual: Limits = {
  start: Duration.seconds(60),
  ready: Duration.seconds(10),
  answer: Duration.seconds(30),
  alone: Duration.seconds(10),
  shutdown: Duration.seconds(3)
}
