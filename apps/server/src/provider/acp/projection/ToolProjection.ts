/**
 * Tool calls as upserts by their id, over all shapes in which agents send them: announced twice under one id, announced
 * once and filled in by updates, or never announced at all (ACP v1, tool-calls). Every call starts once and ends once.
 */
import type { ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import { isRunning, type ToolCall, type ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import * as ToolEntry from "./ToolEntry.ts"
import * as ToolPatch from "./ToolPatch.ts"

export type ToolEventType = "tool.started" | "tool.updated" | "tool.completed"

/** Reports a change of a call, with the call as people see it. */
export type Tell = (type: ToolEventType, entry: ToolEntry.ToolEntry, tool: ToolCall) => void

type Profile = Pick<AgentProfile, "isGenericTitle" | "tidyTool">

/** The call as people see it. */
export const view = (entry: ToolEntry.ToolEntry, profile: Profile): ToolCall => profile.tidyTool(entry.tool)

/**
 * Takes in what the agent said about a call. `announced` tells a `tool_call` from an update: its empty lists are
 * unfilled fields, those of an update are lists that were emptied.
 */
export const upsert = (
  entry: ToolEntry.ToolEntry,
  patch: ToolCallUpdate,
  announced: boolean,
  at: number,
  profile: Profile,
  tell: Tell
): void => {
  const before = entry.tool
  ToolPatch.merge(entry, patch, announced, profile)
  ToolEntry.progress(entry, patch.status)
  if (entry.next !== undefined) {
    mergeRequest(entry.next, patch, profile)
    ToolEntry.progress(entry.next, patch.status)
  }
  advance(entry, at)
  if (!entry.started) {
    entry.started = true
    if (entry.tool.startedAt !== at) entry.tool = { ...entry.tool, startedAt: at }
    tell("tool.started", entry, view(entry, profile))
    if (isRunning(entry.tool)) return
  } else if (entry.tool === before) return
  announce(entry, profile, tell)
}

/** The call that a request is about which names this one: a new one that says nothing yet where this one is over. */
export const toAskAbout = (entry: ToolEntry.ToolEntry, at: number): ToolEntry.ToolEntry => {
  if (!ToolEntry.isOver(entry)) return entry
  if (entry.next === undefined || ToolEntry.isOver(entry.next)) entry.next = ToolEntry.make(entry.toolCallId, at)
  return entry.next
}

/** Takes in what a request for permission says about a call, without telling: the request itself shows it. */
export const mergeRequest = (entry: ToolEntry.ToolEntry, patch: ToolCallUpdate, profile: Profile): boolean => {
  const before = entry.tool
  // Text in a request is the reason for asking, not output of the tool.
  const diffs = patch.content?.filter(({ type }) => type === "diff")
  const { content: _, rawOutput: __, ...rest } = patch
  ToolPatch.merge(entry, { ...rest, ...(diffs && diffs.length > 0 && { content: diffs }) }, true, profile)
  if (diffs && diffs.length > 0) entry.asked = entry.tool.diffs
  return entry.tool !== before
}

/** Takes in a terminal that an update of the call tells of; the update itself is told by `upsert`. */
export const hold = (entry: ToolEntry.ToolEntry, terminal: ToolTerminal): void => {
  if (entry.terminals.get(terminal.terminalId) === terminal) return
  entry.terminals.set(terminal.terminalId, terminal)
  entry.isFresh = true
}

/** Takes in what became of a terminal that the call names. */
export const showTerminal = (
  entry: ToolEntry.ToolEntry,
  terminal: ToolTerminal,
  profile: Profile,
  tell: Tell
): void => {
  const { terminalId } = terminal
  const before = entry.terminals.get(terminalId)
  if (before === undefined || before === terminal) return
  entry.terminals.set(terminalId, terminal)
  const terminals = entry.tool.terminals?.map((shown) => (shown.terminalId === terminalId ? terminal : shown))
  if (terminals === undefined) return
  entry.tool = { ...entry.tool, terminals }
  if (entry.started) announce(entry, profile, tell)
}

/** Closes a call that the agent left open. A later end by the agent still counts. */
export const close = (
  entry: ToolEntry.ToolEntry,
  as: "cancelled" | "unfinished",
  at: number,
  profile: Profile,
  tell: Tell
): void => {
  if (!entry.started || !isRunning(entry.tool)) return
  entry.closedAs = as
  advance(entry, at)
  announce(entry, profile, tell)
}

const announce = (entry: ToolEntry.ToolEntry, profile: Profile, tell: Tell): void => {
  const ends = !entry.ended && !isRunning(entry.tool)
  if (ends) entry.ended = true
  tell(ends ? "tool.completed" : "tool.updated", entry, view(entry, profile))
}

/** Puts the status in place that follows from all that is known. */
const advance = (entry: ToolEntry.ToolEntry, at: number): void => {
  const status = ToolEntry.statusOf(entry)
  if (status === entry.tool.status) return
  const endedAt = isRunning({ status }) ? {} : { endedAt: at }
  entry.tool = { ...entry.tool, status, ...endedAt }
}
