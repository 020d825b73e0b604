/** What an agent does of the protocol: what it claims, what was seen, and where the two differ. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"

/** What a probe looks at, in the order of a report. */
export const ProbeArea = Schema.Literals([
  "connection",
  "start",
  "login",
  "settings",
  "sessions",
  "prompts",
  "lines",
  "end"
])
export type ProbeArea = typeof ProbeArea.Type

/**
 * `holds`: as the protocol has it, and as the agent says. `quirk`: otherwise, and clients can live with it. `broken`: what the
 * agent claims, or what the protocol demands, is not so. `untried`: not looked at, `seen` says why.
 */
export const Verdict = Schema.Literals(["holds", "quirk", "broken", "untried"])
export type Verdict = typeof Verdict.Type

export const ProbeResult = Schema.Struct({
  /** Names the probe for good: `sessions/resume`, `connection/malformed`. */
  probe: Schema.String,
  area: ProbeArea,
  /** In a few words: "Takes up a session". */
  capability: Schema.String,
  /** Whether the agent says that it can; absent where there is nothing to say. */
  claimed: Schema.optionalKey(Schema.Boolean),
  /** What it did, in a few words. */
  seen: Schema.String,
  verdict: Verdict,
  /** What is odd about it, in a sentence. */
  quirk: Schema.optionalKey(Schema.String),
  /** The agent's own words, where it answered with an error. */
  said: Schema.optionalKey(Schema.String),
  /** Asks the agent's model for something. */
  model: Schema.optionalKey(Schema.Literal(true)),
  /** How long what was looked at took, where that tells something: a start, an end. */
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type ProbeResult = typeof ProbeResult.Type

export const ConformanceReport = Schema.Struct({
  /** The name and version that the agent gives itself. */
  agent: Schema.Struct({ name: Schema.optionalKey(Schema.String), version: Schema.optionalKey(Schema.String) }),
  /** What was started, without secrets. */
  commandLine: Schema.String,
  /** How many processes were started by it, and what was done to end them, in a sentence. */
  processes: Schema.optionalKey(Schema.String),
  protocolVersion: Schema.optionalKey(Schema.Int),
  /** Whether probes were made that ask its model for something. */
  withModel: Schema.Boolean,
  at: Timestamp,
  results: Schema.Array(ProbeResult)
})
export type ConformanceReport = typeof ConformanceReport.Type

/** A report while it is made: which probe is on, each result, and in the end the whole. */
export const ConformanceFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("probing"), capability: Schema.String, done: Schema.Int, of: Schema.Int }),
  Schema.Struct({ type: Schema.tag("result"), result: ProbeResult }),
  Schema.Struct({ type: Schema.tag("report"), report: ConformanceReport })
])
export type ConformanceFrame = typeof ConformanceFrame.Type
