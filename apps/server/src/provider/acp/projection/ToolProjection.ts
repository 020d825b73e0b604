/**
 * Projects tool calls by id, over all forms in which agents send them. A call may be announced twice, announced once
 * and updated, or never announced (ACP v1, tool-calls). Every call starts once and ends once.
 */
import type { ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import { isRunning, type ToolCall, type ToolTerminal } from "@signalbox/contracts/ToolCall"
import { isEmpty } from "../../../base/Json.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import * as ToolEntry from "./ToolEntry.ts"
import * as ToolPatch from "./ToolPatch.ts"

export type ToolEventType = "tool.started" | "tool.updated" | "tool.completed"

/** Emits a change of a call. `tool`: the call as people see it. */
export type Tell = (type: ToolEventType, entry: ToolEntry.ToolEntry, tool: ToolCall) => void

type Profile = Pick<AgentProfile, "isGenericTitle" | "tidyTool">

/** The call as people see it. */
export const view = (entry: ToolEntry.ToolEntry, profile: Profile): ToolCall => profile.tidyTool(entry.tool)

/**
 * Applies an update of a call. `announced`: it is a `tool_call`, whose empty lists are unfilled fields. In an update,
 * an empty list empties the call's list.
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
  for (const one of namesakes(entry)) {
    mergeRequest(one, patch, profile)
    ToolEntry.progress(one, patch.status)
    advance(one, at)
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

/** The calls of requests that have the id of this call. Nobody can say which of them an update means, so it changes all. */
const namesakes = ({ next, others }: ToolEntry.ToolEntry): ReadonlyArray<ToolEntry.ToolEntry> => [
  ...others,
  ...(next === undefined ? [] : [next, ...next.others])
]

/** Most calls of one id that are kept up to date, beside the first. A session has at most as many open requests. */
const mostOthers = 64

/**
 * The call that a permission request means, with the fields that it adds. If the named call is over, this is a new one without content.
 * `isAsked`: another request of this id is open. Then each has a call of its own, so that none is judged or answered by what another says. A
 * request that only names the call follows what others say of it.
 */
export const askedAbout = (
  entry: ToolEntry.ToolEntry,
  patch: ToolCallUpdate,
  at: number,
  isAsked: boolean,
  profile: Profile
): ToolEntry.ToolEntry => {
  const named = ToolEntry.isOver(entry) ? nextOf(entry, at) : entry
  const asked = isAsked ? ToolEntry.another(named) : named
  if (isAsked) {
    for (const one of [named, ...named.others]) if (!one.isSaid) mergeRequest(one, patch, profile)
    named.others = [...named.others, asked].slice(-mostOthers)
  }
  mergeRequest(asked, patch, profile)
  asked.isSaid ||= saysWhat(patch)
  return asked
}

/** Whether a request says itself what its call does. */
const saysWhat = ({ content, locations, rawInput }: ToolCallUpdate): boolean =>
  !isEmpty(rawInput) || !isEmpty(locations) || content?.some(({ type }) => type === "diff") === true

const nextOf = (entry: ToolEntry.ToolEntry, at: number): ToolEntry.ToolEntry => {
  if (entry.next === undefined || ToolEntry.isOver(entry.next)) entry.next = ToolEntry.make(entry.toolCallId, at)
  return entry.next
}

/** Applies the fields of a permission request, without an event: the request itself shows them. */
const mergeRequest = (entry: ToolEntry.ToolEntry, patch: ToolCallUpdate, profile: Profile): void => {
  // Text in a request is the reason for it, not output of the tool.
  const diffs = patch.content?.filter(({ type }) => type === "diff")
  const { content: _, rawOutput: __, ...rest } = patch
  ToolPatch.merge(entry, { ...rest, ...(diffs && diffs.length > 0 && { content: diffs }) }, true, profile)
  if (diffs && diffs.length > 0) entry.asked = entry.tool.diffs
}

/** Adds a terminal that an update of the call reports. `upsert` emits that update. */
export const hold = (entry: ToolEntry.ToolEntry, terminal: ToolTerminal): void => {
  if (entry.terminals.get(terminal.terminalId) === terminal) return
  entry.terminals.set(terminal.terminalId, terminal)
  entry.isFresh = true
}

/** Applies the latest state of a terminal that the call names. */
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
  for (const one of namesakes(entry)) {
    one.closedAs ??= as
    advance(one, at)
  }
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

/** Sets the status that follows from all that is known. */
const advance = (entry: ToolEntry.ToolEntry, at: number): void => {
  const status = ToolEntry.statusOf(entry)
  if (status === entry.tool.status) return
  const endedAt = isRunning({ status }) ? {} : { endedAt: at }
  entry.tool = { ...entry.tool, status, ...endedAt }
}
