/** What went wrong, as people are told: what happened, why and on what evidence, what to do next. */
import * as Schema from "effect/Schema"
import { SignInOffer } from "./SignInMethod.ts"

export const ProblemCode = Schema.Literals([
  "agent-not-found",
  "agent-not-recognised",
  "agent-too-old",
  "agent-start-failed",
  "agent-start-timeout",
  "agent-exited",
  /** Its process lived on, and nothing could be heard of it. */
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
  /** What it asks for changed after the person had read it. */
  "request-changed",
  "option-unknown",
  "command-invalid",
  "turn-in-flight",
  "cancel-timeout",
  "turn-lost",
  /** The time that the caller allowed was up. */
  "timed-out",
  /** It ended again and again; nothing more is tried by itself. */
  "agent-restarts-exhausted",
  /** What was kept can't be read, or nothing can be kept: a full disk, a lock, damage. */
  "storage",
  "internal"
])
export type ProblemCode = typeof ProblemCode.Type

/** What a button or a hint may offer. `command` is shown to be copied, never run by us. */
export const NextStep = Schema.Struct({
  action: Schema.Literals([
    "log-in",
    "send-again",
    "restart",
    "check-again",
    "choose-folder",
    "run-command",
    "set-option",
    "wait"
  ]),
  label: Schema.String,
  command: Schema.optionalKey(Schema.String)
})
export type NextStep = typeof NextStep.Type

export const Evidence = Schema.Struct({
  /** The last lines that the agent wrote to stderr, oldest first. */
  stderrTail: Schema.optionalKey(Schema.Array(Schema.String)),
  /** How many lines it wrote to stderr altogether. */
  stderrLines: Schema.optionalKey(Schema.Int),
  /** The last lines that it wrote to stdout and that are no messages of the protocol, oldest first: at most 20, 4 KiB together. */
  stdoutTail: Schema.optionalKey(Schema.Array(Schema.String)),
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  /** The JSON-RPC call that failed, and the error as the agent gave it; `rpcData` is compact JSON. */
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
  /** Why, and how we know. */
  cause: Schema.String,
  evidence: Evidence,
  nextSteps: Schema.Array(NextStep),
  /** With `auth-required`: the ways in that the agent offers, where they are known. */
  signIn: Schema.optionalKey(SignInOffer)
})
export type Problem = typeof Problem.Type

/** What happened and why, as one text. */
export const sentencesOf = ({ cause, title }: Problem): string => `${title} ${cause}`
