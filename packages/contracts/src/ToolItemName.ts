/**
 * How an entry of the transcript is named after a tool call. Agents choose the ids of their calls; an id that looks like a name of ours,
 * such as `assistant` or `prompt`, is escaped. So it can never take the place of another entry.
 */

/** Names of entries that are ours, and the beginnings of numbered ones: `assistant`, `assistant:2`, `heard-1`. */
const ours = /^(?:assistant|thought|prompt|problem|heard|subagent|file|compaction|written|tool)(?:[:-]|$)/

/** Outside of turns the number of an event stands there, or of a piece of history: `17`, `17:mode`, `replay-1:prompt`. */
const numbered = /^(?:\d+(?::|$)|replay(?:-|:|$))/

/**
 * What follows `${turnId}:` in the id of a call's entry: the agent's id, or `tool:` and the agent's id where that looks like ours.
 * Different ids have different names. `inTurn`: whether the call belongs to a turn, or to a piece of history.
 */
export const toolItemName = (toolCallId: string, inTurn: boolean): string =>
  ours.test(toolCallId) || (!inTurn && numbered.test(toolCallId)) ? `tool:${toolCallId}` : toolCallId
