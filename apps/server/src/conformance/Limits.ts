/**
 * How long probes wait for an agent. The agent's start is measured first, so a slow agent or a busy machine gets more
 * time.
 */
import * as Duration from "effect/Duration"

export interface Limits {
  /** The answer to `initialize` of the first process. */
  readonly initialize: Duration.Input
  /** The answer to a first message that isn't a usual `initialize`. */
  readonly first: Duration.Input
  /** The answer to `session/new`. */
  readonly session: Duration.Input
  /** The answer to a request that the agent does not offer. Most agents refuse it at once. */
  readonly refusal: Duration.Input
  /** The answer to any other request, unless a probe has its own limit. */
  readonly answer: Duration.Input
  /** The list of commands of a session, which an agent may omit. */
  readonly commands: Duration.Input
  /** The end of the process, after the step that should end it. */
  readonly exit: Duration.Input
  /** The end of the process when its input ends after a prompt. */
  readonly exitAfterPrompt: Duration.Input
  /** The answer to a question for suggestions. */
  readonly suggestion: Duration.Input
  /** The longest answer to such a question that is still of use: later, a person has gone on. */
  readonly timely: Duration.Input
  /** The end of a turn, after it was cancelled. */
  readonly cancel: Duration.Input
  /** One probe. Probes that send prompts have their own limits. */
  readonly probe: Duration.Input
  /** All probes together. */
  readonly whole: Duration.Input
}

/** The least wait of each kind. */
export const least: Limits = {
  initialize: "1 minute",
  first: "5 seconds",
  session: "30 seconds",
  refusal: "3 seconds",
  answer: "10 seconds",
  commands: "2 seconds",
  exit: "5 seconds",
  exitAfterPrompt: "5 seconds",
  suggestion: "20 seconds",
  timely: "3 seconds",
  cancel: "1 minute",
  probe: "20 seconds",
  whole: "3 minutes"
}

/**
 * Each wait as a multiple of the agent's start. The longer wait counts. Other processes may be starting at the same
 * time.
 */
const starts: { readonly [Name in keyof Limits]?: number } = {
  initialize: 4,
  first: 4,
  session: 4,
  refusal: 1,
  answer: 2,
  commands: 1,
  exit: 1,
  exitAfterPrompt: 1,
  suggestion: 2,
  timely: 1,
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
    suggestion: longer("suggestion"),
    timely: longer("timely"),
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
