/** Sub-agents: what an event reports of one, and what a transcript shows of it. */
import * as Schema from "effect/Schema"
import { ItemId } from "./Ids.ts"

/** The sub-agent above another one. `depth` is 0 for one that the agent itself has started. */
export const ParentSubagent = Schema.Struct({
  itemId: ItemId,
  depth: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})
export type ParentSubagent = typeof ParentSubagent.Type

/** `background`: the sub-agent was launched and goes on by itself. Agents do not say when it ends. */
export const SubagentState = Schema.Literals(["running", "background", "completed", "failed", "cancelled"])
export type SubagentState = typeof SubagentState.Type

/** All that is known of a sub-agent. Each report of it has all of this. */
export const subagentMembers = {
  name: Schema.String,
  task: Schema.optionalKey(Schema.String),
  state: SubagentState,
  durationMs: Schema.optionalKey(Schema.Finite),
  /** The sub-agent that started it, if one did. */
  parent: Schema.optionalKey(ParentSubagent),
  /** What it is doing, in its own few words, while it runs. */
  activity: Schema.optionalKey(Schema.String),
  /** What it said last, once it has ended. */
  said: Schema.optionalKey(Schema.String)
}
