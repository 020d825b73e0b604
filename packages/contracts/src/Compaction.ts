/** Compactions: what an event reports of one, and what a transcript shows of it. */
import * as Schema from "effect/Schema"

/** All that is known of a compaction, which makes shorter what an agent knows of the conversation. Each report has all of this. */
export const compactionMembers = {
  state: Schema.Literals(["running", "completed", "failed", "cancelled"]),
  /** What the agent goes on with, if it reports that. */
  summary: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String)
}
