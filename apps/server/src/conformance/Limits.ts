/** How long an agent is waited for. What it takes to start is measured first; a slow agent, or a busy machine, gets more time. */
import * as Duration from "effect/Duration"

export interface Limits {
  /** To `initialize`, of the first process. */
  readonly initialize: Duration.Input
  /** To what a new process is told first, where that is not a usual `initialize`. */
  readonly first: Duration.Input
  /** To `session/new`. */
  readonly session: Duration.Input
  /** To a request that the agent does not offer: it is mostly refused at once. */
  readonly refusal: Duration.Input
  /** To anything for which a probe names no time of its own. */
  readonly answer: Duration.Input
  /** The commands of a session, which an agent may report or not. */
  readonly commands: Duration.Input
  /** Its end, after what should end it. */
  readonly exit: Duration.Input
  /** The end of the process when its input ends after a prompt. */
  readonly exitAfterPrompt: Duration.Input
  /** The end of a turn, after it was cancelled. */
  readonly cancel: Duration.Input
  /** One probe; those that ask a model have a limit of their own. */
  readonly probe: Duration.Input
  /** All probes together. */
  readonly whole: Duration.Input
}

/** What is waited at least. */
export const least: Limits = {
  initialize: "1 minute",
  first: "5 seconds",
  session: "30 seconds",
  refusal: "3 seconds",
  answer: "10 seconds",
  commands: "2 seconds",
  exit: "5 seconds",
  exitAfterPrompt: "5 seconds",
  cancel: "1 minute",
  probe: "20 seconds",
  whole: "3 minutes"
}

/** So many starts of the agent are waited for, where that is longer. Other processes may be starting at the same time. */
const starts: { readonly [Name in keyof Limits]?: number } = {
  initialize: 4,
  first: 4,
  session: 4,
  refusal: 1,
  answer: 2,
  commands: 1,
  exit: 1,
  exitAfterPrompt: 1,
  probe: 10
}

/** The limits of an agent that takes `startMs` to answer its first `initialize`. */
export const paced = (limits: Limits, startMs: number): Limits => {
  const longer = (name: keyof Limits): Duration.Input =>
    Math.max(Duration.toMillis(Duration.fromInputUnsafe(limits[name])), (starts[name] ?? 0) * startMs)
  return {
    initialize: longer("initialize"),
    first: longer("first"),
    session: longer("session"),
    refusal: longer("refusal"),
    answer: longer("answer"),
    commands: longer("commands"),
    exit: longer("exit"),
    exitAfterPrompt: longer("exitAfterPrompt"),
    cancel: limits.cancel,
    probe: longer("probe"),
    whole: limits.whole
  }
}

/** A duration in seconds, for people. */
export const seconds = (duration: Duration.Input): string => {
  const count = Number((Duration.toMillis(duration) / 1000).toPrecision(2))
  return `${count} ${count === 1 ? "second" : "seconds"}`
}
