/**
 * Names a call's entry in the transcript. Agents choose the ids of their calls. An id like one of Signalbox's own
 * names, e.g. `assistant` or `prompt`, is escaped, so it can't replace another entry.
 */

/** Matches Signalbox's own names, and the beginnings of numbered ones: `assistant`, `assistant:2`, `heard-1`. */
const ours = /^(?:assistant|thought|prompt|problem|heard|subagent|file|compaction|written|tool)(?:[:-]|$)/

/**
 * Matches names outside of turns, which begin with an event's number or a piece of history: `17`, `17:mode`,
 * `replay-1:prompt`.
 */
const numbered = /^(?:\d+(?::|$)|replay(?:-|:|$))/

/**
 * The part after `${turnId}:` in the id of a call's entry: the agent's id, with `tool:` before it if it looks like one
 * of our names. Different ids have different names. `inTurn`: whether the call belongs to a turn, or to a piece of
 * history.
 */
export const toolItemName = (toolCallId: string, inTurn: boolean): string =>
  ours.test(toolCallId) || (!inTurn && numbered.test(toolCallId)) ? `tool:${toolCallId}` : toolCallId
