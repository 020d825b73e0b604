/**
 * Tool calls as upserts by their id, over all shapes in which agents send them: announced twice under one id, announced
 * once and filled in by updates, or never announced at all (ACP v1, tool-calls). Every call starts once and ends once.
 */
import type { ToolCallContent, ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import type { ContentPart } from "@signalbox/contracts/Content"
import {
  type FileDiff,
  isRunning,
  type ToolCall,
  type ToolLocation,
  type ToolResult,
  type ToolStatus,
  type ToolTerminal
} from "@signalbox/contracts/ToolCall"
import { readInput } from "@signalbox/contracts/ToolInput"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import { toContentPart } from "./ContentMapping.ts"
import { compact, isEmpty } from "../../../base/Json.ts"
import { outcomeOf, type ToolOutcome } from "./ToolOutput.ts"

type WireStatus = "pending" | "in_progress" | "completed" | "failed"

/** What is known of one call, and how far it has been told. */
export interface ToolEntry {
  readonly toolCallId: string
  tool: ToolCall
  input: unknown
  outcome: ToolOutcome
  /** The tool that is called, by the agent's name for it. */
  name: string | undefined
  /** The changes that only a request for permission told of. */
  asked: ReadonlyArray<FileDiff>
  /** The terminals that it names or tells of and that there are, as they are now. */
  readonly terminals: Map<string, ToolTerminal>
  /** One of them is there, or has changed, since the call was put together. */
  isFresh: boolean
  /** The agent's own status. It only goes forward. */
  wire: WireStatus
  /** How we closed it when the agent did not. */
  closedAs: "cancelled" | "unfinished" | undefined
  /** The last answer that was given here refused it. */
  refusedHere: boolean
  started: boolean
  ended: boolean
  /** What requests ask about under this id since the agent said that the call is over. */
  next: ToolEntry | undefined
}

export type ToolEventType = "tool.started" | "tool.updated" | "tool.completed"

/** Reports a change of a call, with the call as people see it. */
export type Tell = (type: ToolEventType, entry: ToolEntry, tool: ToolCall) => void

type Profile = Pick<AgentProfile, "isGenericTitle" | "tidyTool">

const nothing: ToolOutcome = { result: undefined, refused: false }
const rank: Readonly<Record<WireStatus, number>> = { pending: 0, in_progress: 1, completed: 2, failed: 3 }

export const make = (toolCallId: string, at: number): ToolEntry => ({
  toolCallId,
  tool: {
    toolCallId,
    title: "",
    kind: "other",
    status: "pending",
    subject: { type: "none" },
    diffs: [],
    content: [],
    locations: [],
    startedAt: at
  },
  input: undefined,
  outcome: nothing,
  name: undefined,
  asked: [],
  terminals: new Map(),
  isFresh: false,
  wire: "pending",
  closedAs: undefined,
  refusedHere: false,
  started: false,
  ended: false,
  next: undefined
})

/** The call as people see it. */
export const view = (entry: ToolEntry, profile: Profile): ToolCall => profile.tidyTool(entry.tool)

/**
 * Takes in what the agent said about a call. `announced` tells a `tool_call` from an update: its empty lists are
 * unfilled fields, those of an update are lists that were emptied.
 */
export const upsert = (
  entry: ToolEntry,
  patch: ToolCallUpdate,
  announced: boolean,
  at: number,
  profile: Profile,
  tell: Tell
): void => {
  const before = entry.tool
  merge(entry, patch, announced, profile)
  progress(entry, patch)
  if (entry.next !== undefined) {
    mergeRequest(entry.next, patch, profile)
    progress(entry.next, patch)
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
export const toAskAbout = (entry: ToolEntry, at: number): ToolEntry => {
  if (!isOver(entry)) return entry
  if (entry.next === undefined || isOver(entry.next)) entry.next = make(entry.toolCallId, at)
  return entry.next
}

/** Whether the call is over, by the agent's own word. */
const isOver = ({ wire }: ToolEntry): boolean => rank[wire] >= rank.completed

const progress = (entry: ToolEntry, { status }: ToolCallUpdate): void => {
  if (status !== undefined && status !== null && rank[status] > rank[entry.wire]) entry.wire = status
}

/** Takes in what a request for permission says about a call, without telling: the request itself shows it. */
export const mergeRequest = (entry: ToolEntry, patch: ToolCallUpdate, profile: Profile): boolean => {
  const before = entry.tool
  // Text in a request is the reason for asking, not output of the tool.
  const diffs = patch.content?.filter(({ type }) => type === "diff")
  const { content: _, rawOutput: __, ...rest } = patch
  merge(entry, { ...rest, ...(diffs && diffs.length > 0 && { content: diffs }) }, true, profile)
  if (diffs && diffs.length > 0) entry.asked = entry.tool.diffs
  return entry.tool !== before
}

/** Takes in a terminal that an update of the call tells of; the update itself is told by `upsert`. */
export const hold = (entry: ToolEntry, terminal: ToolTerminal): void => {
  if (entry.terminals.get(terminal.terminalId) === terminal) return
  entry.terminals.set(terminal.terminalId, terminal)
  entry.isFresh = true
}

/** Takes in what became of a terminal that the call names. */
export const showTerminal = (entry: ToolEntry, terminal: ToolTerminal, profile: Profile, tell: Tell): void => {
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
  entry: ToolEntry,
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

const announce = (entry: ToolEntry, profile: Profile, tell: Tell): void => {
  const ends = !entry.ended && !isRunning(entry.tool)
  if (ends) entry.ended = true
  tell(ends ? "tool.completed" : "tool.updated", entry, view(entry, profile))
}

/** Puts the status in place that follows from all that is known. */
const advance = (entry: ToolEntry, at: number): void => {
  const status = statusOf(entry)
  if (status === entry.tool.status) return
  const endedAt = isRunning({ status }) ? {} : { endedAt: at }
  entry.tool = { ...entry.tool, status, ...endedAt }
}

const statusOf = (entry: ToolEntry): ToolStatus => {
  const { closedAs, outcome, refusedHere, wire } = entry
  if (wire === "pending" || wire === "in_progress") {
    if (closedAs === undefined) return wire
    return refusedHere ? "rejected" : closedAs
  }
  if (refusedHere && !ranAllTheSame(entry)) return "rejected"
  if (wire === "failed" || outcome.result?.error !== undefined) return "failed"
  return "completed"
}

/**
 * Whether something of a refused call shows that it was done in spite of that: an exit code, or what a command printed. A status is only the
 * agent's word, and a diff says what was wanted. A text may as well report the refusal.
 */
const ranAllTheSame = ({ outcome: { refused, result }, terminals, wire }: ToolEntry): boolean => {
  if (refused || wire === "failed") return false
  const printed = Boolean(result?.stdout) || Boolean(result?.stderr)
  return printed || result?.exitCode !== undefined || [...terminals.values()].some(hasRun)
}

/** One that we made has run for certain. One of the agent's own is only announced until it tells more. */
const hasRun = ({ command, exitCode, output, signal }: ToolTerminal): boolean =>
  command !== undefined || exitCode !== undefined || signal !== undefined || output !== ""

const merge = (entry: ToolEntry, patch: ToolCallUpdate, announced: boolean, profile: Profile): void => {
  const { tool } = entry
  const change: { -readonly [Key in keyof ToolCall]?: ToolCall[Key] } = {}

  if (patch.name) entry.name = patch.name
  const title = patch.title ?? patch.name ?? ""
  // A name says which tool it is, a title what it does with it.
  const better =
    tool.title === "" || tool.title === entry.name || (title !== entry.name && !profile.isGenericTitle(title))
  if (title !== "" && title !== tool.title && better) change.title = title
  if (patch.kind && patch.kind !== "other" && patch.kind !== tool.kind) change.kind = patch.kind

  if (!isEmpty(patch.rawInput)) {
    const rawInput = compact(patch.rawInput)
    if (rawInput !== tool.rawInput) {
      entry.input = patch.rawInput
      change.rawInput = rawInput
    }
  }
  if (!isEmpty(patch.rawOutput)) {
    const rawOutput = compact(patch.rawOutput)
    if (rawOutput !== tool.rawOutput) {
      entry.outcome = outcomeOf(patch.rawOutput)
      change.rawOutput = rawOutput
      const result = entry.outcome.result ?? withoutError(tool.result)
      if (result !== undefined && result !== tool.result) change.result = result
    }
  }
  if (patch.content && (patch.content.length > 0 || !announced)) {
    const { diffs, named, parts } = split(patch.content)
    const terminals = terminalsOf(entry, named)
    if (!sameTerminals(terminals, tool.terminals ?? [])) change.terminals = terminals
    // Some agents tell a change only where they ask for it, and its outcome in words.
    const shown = diffs.length > 0 ? diffs : entry.asked
    if (diffs.length > 0) entry.asked = []
    if (differs(shown, tool.diffs)) change.diffs = shown
    if (differs(parts, tool.content)) change.content = parts
  } else if (entry.isFresh)
    change.terminals = terminalsOf(
      entry,
      (tool.terminals ?? []).map(({ terminalId }) => terminalId)
    )
  entry.isFresh = false
  if (patch.locations && (patch.locations.length > 0 || !announced)) {
    const locations = patch.locations.map(location)
    if (differs(locations, tool.locations)) change.locations = locations
  }
  if (isEmpty(change)) return
  const { kind = tool.kind, locations = tool.locations, rawInput } = change
  if (kind !== tool.kind || locations !== tool.locations || rawInput !== undefined)
    change.subject = readInput(kind, entry.input, locations).subject
  entry.tool = { ...tool, ...change }
}

/** What an earlier output said stays where the latest says nothing that is known, but for an error: the latest has none. */
const withoutError = (result: ToolResult | undefined): ToolResult | undefined => {
  if (result?.error === undefined) return result
  const { error: _, ...others } = result
  return others
}

/** No file has a line of a larger number, which some agents send for one that they don't know. */
const location = ({ line, path }: { readonly path: string; readonly line?: number | null }): ToolLocation => ({
  path,
  ...(typeof line === "number" && Number.isSafeInteger(line) && { line })
})

const split = (content: ReadonlyArray<ToolCallContent>) => {
  const diffs: Array<FileDiff> = []
  const parts: Array<ContentPart> = []
  const named: Array<string> = []
  for (const piece of content) {
    if (piece.type === "content") parts.push(toContentPart(piece.content))
    else if (piece.type === "diff") {
      diffs.push({ path: piece.path, oldText: piece.oldText ?? null, newText: piece.newText })
    } else named.push(piece.terminalId)
  }
  return { diffs, named, parts }
}

/** Those that the agent names now, and those that there are, named or not: what ran stays on record. */
const terminalsOf = ({ terminals, tool }: ToolEntry, named: ReadonlyArray<string>): ReadonlyArray<ToolTerminal> => {
  const before = (tool.terminals ?? []).map(({ terminalId }) => terminalId).filter((id) => terminals.has(id))
  const ids = new Set([...before, ...named, ...terminals.keys()])
  return Array.from(
    ids,
    (terminalId) => terminals.get(terminalId) ?? { terminalId, state: "missing", output: "", truncated: false }
  )
}

/** Terminals may have printed much, and are replaced when they change: they are not compared text by text. */
const sameTerminals = (ones: ReadonlyArray<ToolTerminal>, others: ReadonlyArray<ToolTerminal>): boolean =>
  ones.length === others.length &&
  ones.every((one, index) => {
    const other = others[index]
    return (
      one === other || (one.state === "missing" && other?.state === "missing" && one.terminalId === other.terminalId)
    )
  })

const differs = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.length !== other.length || (one.length > 0 && compact(one) !== compact(other))
