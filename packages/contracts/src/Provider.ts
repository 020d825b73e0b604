/** Agents that threads can run on, and what is known about each on this machine. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"
import { Problem } from "./Problem.ts"

/** Which adapter speaks to the agent: Cursor's own, or the one for any ACP agent. */
export const ProviderKind = Schema.Literals(["cursor", "acp"])
export type ProviderKind = typeof ProviderKind.Type

/** Names one agent in the picker and on the command line: `cursor`, `cursor-simulated`, `eliza`, `scripted`, `custom`. */
export const ProviderId = Schema.String.pipe(Schema.brand("ProviderId"))
export type ProviderId = typeof ProviderId.Type

/** How Cursor is started. Everything is optional: without `binaryPath` we look for `cursor-agent`, then `agent`. */
export const CursorOptions = Schema.Struct({
  binaryPath: Schema.optionalKey(Schema.String),
  /** Passed as `-e URL` before `acp`. */
  apiEndpoint: Schema.optionalKey(Schema.String),
  /** Global flags, placed before `acp`. */
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Added to our own environment. Never written to a tape. */
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type CursorOptions = typeof CursorOptions.Type

/** How any other ACP agent is started: an argument vector, never a shell line. */
export const AcpOptions = Schema.Struct({
  command: Schema.String,
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type AcpOptions = typeof AcpOptions.Type

export const ProviderOptions = Schema.Struct({
  cursor: Schema.optionalKey(CursorOptions),
  acp: Schema.optionalKey(AcpOptions)
})
export type ProviderOptions = typeof ProviderOptions.Type

/** The agent of one thread. */
export const ProviderRef = Schema.Struct({
  id: ProviderId,
  kind: ProviderKind,
  /** As people call it: "Cursor". */
  name: Schema.String,
  /** Stands in for a real agent; marked wherever it is shown. */
  simulated: Schema.Boolean
})
export type ProviderRef = typeof ProviderRef.Type

/** What sessions of an adapter can do, so that a page asks instead of learning from an error. */
export const ProviderCapabilities = Schema.Struct({
  rollback: Schema.Union([
    Schema.Struct({ supported: Schema.Literal(true) }),
    Schema.Struct({ supported: Schema.Literal(false), reason: Schema.String })
  ]),
  resume: Schema.Boolean,
  images: Schema.Boolean
})
export type ProviderCapabilities = typeof ProviderCapabilities.Type

/** One step of looking an agent over, in the order in which people would check it. */
export const ProviderCheck = Schema.Struct({
  name: Schema.Literals(["found", "version", "login"]),
  state: Schema.Literals(["ok", "attention", "failed", "unknown"]),
  /** What was seen, in one sentence or value. */
  detail: Schema.String,
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type ProviderCheck = typeof ProviderCheck.Type

/** What is known about an agent on this machine, and since when. */
export const ProviderStatus = Schema.Struct({
  provider: ProviderRef,
  description: Schema.String,
  /** `ready` and `attention` can start threads; with `attention` something is likely to be asked for first. */
  state: Schema.Literals(["checking", "ready", "attention", "unavailable"]),
  path: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  checks: Schema.Array(ProviderCheck),
  problem: Schema.optionalKey(Problem),
  capabilities: ProviderCapabilities,
  checkedAt: Schema.optionalKey(Timestamp)
})
export type ProviderStatus = typeof ProviderStatus.Type
