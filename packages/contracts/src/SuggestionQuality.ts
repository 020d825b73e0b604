/** What became of the suggestions of each agent, and how long its answers took. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { ProviderId } from "./Provider.ts"

/** Suggestions by their end. Each is counted once, when it ends: what is still open is in no figure. */
export const SuggestionFigures = Schema.Struct({
  accepted: Schema.Int,
  /** A person did not want it, and said so. */
  dismissed: Schema.Int,
  /** A person went on without it. */
  ignored: Schema.Int,
  /** The next answer came for it. */
  replaced: Schema.Int,
  /** It came too late: its text had changed, or nobody waited any more. */
  stale: Schema.Int,
  /** It could not be shown. */
  refused: Schema.Int,
  /** The refused ones by their reason, the most frequent first. `reason`: a name of `refusalWords`. */
  reasons: Schema.Array(Schema.Struct({ reason: Schema.String, times: Schema.Int })),
  /** Questions that were answered in time, also by no suggestion. */
  answered: Schema.Int,
  /** Questions whose answer nobody needed any more, so that they were cancelled or their answer was left. */
  overtaken: Schema.Int,
  /** Questions that ended with an error. */
  failed: Schema.Int,
  /**
   * How long the answers in time took, in milliseconds from the question to the agent. Percentiles by nearest rank.
   * Missing if there was none.
   */
  latency: Schema.optionalKey(Schema.Struct({ p50: Schema.Finite, p95: Schema.Finite }))
})
export type SuggestionFigures = typeof SuggestionFigures.Type

export const AgentSuggestions = Schema.Struct({
  /** `custom` for an agent that a command named by `--agent`. */
  providerId: ProviderId,
  name: Schema.String,
  /** When it was counted first. */
  since: Timestamp,
  /** The last 30 days, today included. Days change at midnight UTC. */
  last30Days: SuggestionFigures,
  all: SuggestionFigures
})
export type AgentSuggestions = typeof AgentSuggestions.Type

export const SuggestionQuality = Schema.Struct({
  /** The agent that the settings name for suggestions. */
  chosen: Schema.optionalKey(Schema.String),
  /** The agents that were asked. */
  agents: Schema.Array(AgentSuggestions),
  /** Why nothing can be counted or read now. */
  problem: Schema.optionalKey(Problem)
})
export type SuggestionQuality = typeof SuggestionQuality.Type
