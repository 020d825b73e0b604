/** What the agent says about a call, taken into what is known of it. Only what differs changes the call. */
import type { ToolCallContent, ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import type { ContentPart } from "@signalbox/contracts/Content"
import {
  type FileDiff,
  type ToolCall,
  type ToolLocation,
  type ToolResult,
  type ToolTerminal
} from "@signalbox/contracts/ToolCall"
import { readInput } from "@signalbox/contracts/ToolInput"
import { compact, isEmpty } from "../../../base/Json.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import { toContentPart } from "./ContentMapping.ts"
import type { ToolEntry } from "./ToolEntry.ts"
import { outcomeOf } from "./ToolOutput.ts"

/**
 * Takes in a patch. `announced` tells a `tool_call` from an update: its empty lists are unfilled fields, those of an update are lists that
 * were emptied.
 */
export const merge = (
  entry: ToolEntry,
  patch: ToolCallUpdate,
  announced: boolean,
  profile: Pick<AgentProfile, "isGenericTitle">
): void => {
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
