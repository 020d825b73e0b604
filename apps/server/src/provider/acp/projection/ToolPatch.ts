/** Merges the agent's updates into the state of a call. Only real differences change the call. */
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
import * as Research from "@signalbox/contracts/Research"
import * as Walkthrough from "@signalbox/contracts/Walkthrough"
import { compact, isEmpty } from "../../../base/Json.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import { toContentPart } from "./ContentMapping.ts"
import type { ToolEntry } from "./ToolEntry.ts"
import { outcomeOf } from "./ToolOutput.ts"

/**
 * Merges a patch. `announced`: it is a `tool_call`, whose empty lists are unfilled fields. In an update, an empty list
 * empties the call's list.
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
  // A title is better than a name: it says what the tool does, not only which one it is.
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
    // Some agents show a diff only in the permission request, and report its outcome as text.
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
  const walkthrough = Walkthrough.inMeta(patch._meta)
  if (walkthrough !== undefined && compact(walkthrough) !== compact(tool.walkthrough)) change.walkthrough = walkthrough
  const research = Research.inMeta(patch._meta)
  if (research !== undefined && compact(research) !== compact(tool.research)) change.research = research
  if (isEmpty(change)) return
  const { kind = tool.kind, locations = tool.locations, rawInput } = change
  if (kind !== tool.kind || locations !== tool.locations || rawInput !== undefined)
    change.subject = readInput(kind, entry.input, locations).subject
  entry.tool = { ...tool, ...change }
}

/** Keeps the last known result if the latest output has none, but without its error: the latest output has no error. */
const withoutError = (result: ToolResult | undefined): ToolResult | undefined => {
  if (result?.error === undefined) return result
  const { error: _, ...others } = result
  return others
}

/** Drops a line number above the safe integers, which some agents send for an unknown line. */
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

/** The terminals that the agent names, and all existing ones: a terminal that ran stays in the transcript. */
const terminalsOf = ({ terminals, tool }: ToolEntry, named: ReadonlyArray<string>): ReadonlyArray<ToolTerminal> => {
  const before = (tool.terminals ?? []).map(({ terminalId }) => terminalId).filter((id) => terminals.has(id))
  const ids = new Set([...before, ...named, ...terminals.keys()])
  return Array.from(
    ids,
    (terminalId) => terminals.get(terminalId) ?? { terminalId, state: "missing", output: "", truncated: false }
  )
}

/** Compares terminals by identity. They are replaced when they change, and a comparison of long output is slow. */
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
