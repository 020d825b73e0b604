/** A report of how an agent follows the protocol: its claims, the observations, and the differences. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"

/** The area of a probe, in the order of a report. */
export const ProbeArea = Schema.Literals([
  "connection",
  "start",
  "login",
  "settings",
  "sessions",
  "prompts",
  "suggestions",
  "lines",
  "end"
])
export type ProbeArea = typeof ProbeArea.Type

/**
 * The result of a probe. `holds`: it follows the protocol and its own claim. `quirk`: it differs, and clients can live
 * with it. `broken`: a claim, or a demand of the protocol, does not hold. `untried`: not examined; `seen` has the
 * reason.
 */
export const Verdict = Schema.Literals(["holds", "quirk", "broken", "untried"])
export type Verdict = typeof Verdict.Type

export const ProbeResult = Schema.Struct({
  /** The permanent name of the probe: `sessions/resume`, `connection/malformed`. */
  probe: Schema.String,
  area: ProbeArea,
  /** The capability in a few words: "Takes up a session". */
  capability: Schema.String,
  /** Whether the agent claims the capability. Missing if a claim is not possible. */
  claimed: Schema.optionalKey(Schema.Boolean),
  /** The observation, in a few words. */
  seen: Schema.String,
  verdict: Verdict,
  /** The difference from the protocol, in a sentence. */
  quirk: Schema.optionalKey(Schema.String),
  /** The agent's own words, if it answered with an error. */
  said: Schema.optionalKey(Schema.String),
  /** Set if the probe asks the agent's model, which may cost money. */
  model: Schema.optionalKey(Schema.Literal(true)),
  /** The duration in milliseconds, if it is of interest: e.g. of a start. */
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type ProbeResult = typeof ProbeResult.Type

export const ConformanceReport = Schema.Struct({
  /** The name and version that the agent reports. */
  agent: Schema.Struct({ name: Schema.optionalKey(Schema.String), version: Schema.optionalKey(Schema.String) }),
  /** The command line without secrets. */
  commandLine: Schema.String,
  /** The number of processes that were started, and how they were ended, in a sentence. */
  processes: Schema.optionalKey(Schema.String),
  protocolVersion: Schema.optionalKey(Schema.Int),
  /** Whether the report includes probes that ask the agent's model. */
  withModel: Schema.Boolean,
  at: Timestamp,
  results: Schema.Array(ProbeResult)
})
export type ConformanceReport = typeof ConformanceReport.Type

/** A report in progress: the present probe, each result, and finally the whole report. */
export const ConformanceFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("probing"), capability: Schema.String, done: Schema.Int, of: Schema.Int }),
  Schema.Struct({ type: Schema.tag("result"), result: ProbeResult }),
  Schema.Struct({ type: Schema.tag("report"), report: ConformanceReport })
])
export type ConformanceFrame = typeof ConformanceFrame.Type
