/** A problem for people: what happened, why and on what evidence, and what to do next. */
import * as Schema from "effect/Schema"
import { SignInOffer } from "./SignInMethod.ts"

export const ProblemCode = Schema.Literals([
  "agent-not-found",
  "agent-not-recognised",
  "agent-too-old",
  "agent-start-failed",
  "agent-start-timeout",
  "agent-exited",
  /** A component in front of the agent ended, and the chain with it. */
  "component-ended",
  /** The agent's output closed while its process continued. */
  "agent-output-closed",
  "auth-required",
  "config-invalid",
  "cwd-unusable",
  "session-not-found",
  "request-failed",
  "agent-reported-error",
  "usage-limit",
  "protocol-violation",
  "setting-rejected",
  "unsupported",
  "request-closed",
  /** The request changed after the person had read it. */
  "request-changed",
  "option-unknown",
  "command-invalid",
  "turn-in-flight",
  "cancel-timeout",
  "turn-lost",
  /** The caller's time limit has passed. */
  "timed-out",
  /** The agent ended again and again, so it is not started automatically any more. */
  "agent-restarts-exhausted",
  /** Stored data can't be read, or nothing can be stored: e.g. a full disk, a lock, or damage. */
  "storage",
  /** The client's scope is narrower than the call needs. */
  "out-of-scope",
  "internal"
])
export type ProblemCode = typeof ProblemCode.Type

/** A step for a button or a hint. `command` is shown to be copied, and never run. */
export const NextStep = Schema.Struct({
  action: Schema.Literals([
    "log-in",
    "send-again",
    "restart",
    /** Starts the agent without the component that `component` names. */
    "start-without",
    "check-again",
    "choose-folder",
    "run-command",
    "set-option",
    "wait"
  ]),
  label: Schema.String,
  command: Schema.optionalKey(Schema.String),
  component: Schema.optionalKey(Schema.String)
})
export type NextStep = typeof NextStep.Type

export const Evidence = Schema.Struct({
  /** The last lines that the agent wrote to stderr, oldest first. */
  stderrTail: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The number of all lines that the agent wrote to stderr. */
  stderrLines: Schema.optionalKey(Schema.Int),
  /** The last stdout lines that are not messages of the protocol, oldest first. At most 20 lines, 4 KiB in total. */
  stdoutTail: Schema.optionalKey(Schema.Array(Schema.String)),
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  /** The method of the failed call, and the agent's error. `rpcData` is compact JSON. */
  method: Schema.optionalKey(Schema.String),
  rpcCode: Schema.optionalKey(Schema.Int),
  rpcMessage: Schema.optionalKey(Schema.String),
  rpcData: Schema.optionalKey(Schema.String),
  path: Schema.optionalKey(Schema.String)
})
export type Evidence = typeof Evidence.Type

export const Problem = Schema.Struct({
  code: ProblemCode,
  /** One sentence: what happened. */
  title: Schema.String,
  /** The cause, and the evidence for it. */
  cause: Schema.String,
  evidence: Evidence,
  nextSteps: Schema.Array(NextStep),
  /** With `auth-required`: the sign-in methods that the agent offers, if they are known. */
  signIn: Schema.optionalKey(SignInOffer)
})
export type Problem = typeof Problem.Type

/** What happened and why, as one text. */
export const sentencesOf = ({ cause, title }: Problem): string => `${title} ${cause}`
