/**
 * Long texts of tool calls, taken out of what travels with every change of a call: an event holds the beginning of such a text and says what
 * the whole is stored as. Pieces are named after what they hold. So a text that is sent again, or that has grown, is stored once.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { allLineChanges } from "@signalbox/contracts/LineChanges"
import type { LongText, ToolCall, ToolResult } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type { Chunk } from "../storage/ThreadStore.ts"

/** UTF-16 units: of the longest text that stays whole, of a chunk, and of what is left of a longer text. */
const longest = 16_384
const previewed = 8192

export interface Extracted {
  /** The events with the same content, but for long texts. It is the very list that was given if there were none. */
  readonly events: ReadonlyArray<ProviderRuntimeEvent>
  /** What has to be stored with the events, each piece once; those that `known` says the call has already are left out. */
  readonly chunks: ReadonlyArray<Chunk>
}

type ToolEvent = Extract<ProviderRuntimeEvent, { readonly tool: ToolCall }>

/** `known` gives the call as it was before these events, if it is at hand: what it refers to is stored already. */
export const extract = (
  events: ReadonlyArray<ProviderRuntimeEvent>,
  known: (event: ToolEvent) => ToolCall | undefined
): Extracted => {
  const chunks: Array<Chunk> = []
  const stored = new Map<string, Set<string>>()
  let changed: Array<ProviderRuntimeEvent> | undefined
  events.forEach((event, index) => {
    if (!("tool" in event)) return
    const taken = takeOut(event.tool)
    if (taken === undefined) return
    let names = stored.get(event.itemId)
    if (names === undefined) stored.set(event.itemId, (names = namesIn(known(event))))
    for (const [name, text] of taken.pieces) {
      if (names.has(name)) continue
      names.add(name)
      chunks.push({ itemId: event.itemId, name, text })
    }
    changed ??= [...events]
    changed[index] = { ...event, tool: taken.tool }
  })
  return { events: changed ?? events, chunks }
}

const namesIn = (tool: ToolCall | undefined): Set<string> => new Set(tool?.long?.flatMap(({ chunks }) => chunks))

interface Taken {
  readonly tool: ToolCall
  /** Pieces of texts by their names. */
  readonly pieces: ReadonlyMap<string, string>
}

/** Nothing when the call holds no long text. */
const takeOut = (tool: ToolCall): Taken | undefined => {
  if (!holdsLong(tool)) return undefined
  const long: Array<LongText> = []
  const pieces = new Map<string, string>()

  const shortened = withTexts(tool, (part, text) => {
    if (!isLong(text)) return text
    const chunks: Array<string> = []
    for (let start = 0; start < text.length;) {
      const end = cutAt(text, start + longest)
      const piece = text.slice(start, end)
      const name = nameOf(piece)
      chunks.push(name)
      pieces.set(name, piece)
      start = end
    }
    long.push({ part, length: text.length, chunks })
    return text.slice(0, cutAt(text, previewed))
  })
  return { tool: { ...shortened, diffs: measured(tool.diffs, shortened.diffs), long }, pieces }
}

/** Beginnings say nothing of what changed: that is told of the whole. */
const measured = (whole: ToolCall["diffs"], shortened: ToolCall["diffs"]): ToolCall["diffs"] => {
  const changes = allLineChanges(whole.filter((diff, index) => diff !== shortened[index]))
  return shortened.map((diff, index) => {
    const before = whole[index]
    const lines = before === undefined || before === diff ? undefined : changes.get(before)
    return lines === undefined ? diff : { ...diff, lines }
  })
}

/** A look at every call, which copies nothing: few hold any. */
const holdsLong = ({ content, diffs, rawInput, rawOutput, result, terminals }: ToolCall): boolean =>
  isLong(rawInput) ||
  isLong(rawOutput) ||
  (result !== undefined &&
    (isLong(result.stdout) || isLong(result.stderr) || isLong(result.text) || isLong(result.error))) ||
  terminals?.some(({ output }) => isLong(output)) ||
  diffs.some(({ newText, oldText }) => isLong(newText) || isLong(oldText)) ||
  content.some((part) => ("text" in part && isLong(part.text)) || ("raw" in part && isLong(part.raw)))

const isLong = (text: string | null | undefined): boolean => typeof text === "string" && text.length > longest

/** The call as it was before its long texts were taken out. `read` gets a chunk by its name; a text that lacks one stays as it is. */
export const withWholeTexts = Effect.fnUntraced(function* <E, R>(
  tool: ToolCall,
  read: (name: string) => Effect.Effect<string | undefined, E, R>
) {
  const { long = [], ...rest } = tool
  const texts = new Map<string, string>()
  for (const { chunks, part } of long) {
    const pieces = yield* Effect.forEach(chunks, read)
    if (!pieces.includes(undefined)) texts.set(part, pieces.join(""))
  }
  const lacking = long.filter(({ part }) => !texts.has(part))
  const whole = withTexts(rest, (part, text) => texts.get(part) ?? text)
  const diffs = whole.diffs.map(({ lines, ...diff }, index) =>
    lines !== undefined && lacking.some(({ part }) => part.startsWith(`diff:${index}:`)) ? { ...diff, lines } : diff
  )
  return lacking.length === 0 ? { ...whole, diffs } : { ...whole, diffs, long: lacking }
})

/** The call with other texts in the places that may hold long ones; see `LongText` for their names. */
const withTexts = (tool: ToolCall, change: (part: string, text: string) => string): ToolCall => ({
  ...tool,
  ...(tool.result && { result: withResultTexts(tool.result, change) }),
  ...(tool.rawInput !== undefined && { rawInput: change("rawInput", tool.rawInput) }),
  ...(tool.rawOutput !== undefined && { rawOutput: change("rawOutput", tool.rawOutput) }),
  ...(tool.terminals && {
    terminals: tool.terminals.map((terminal, index) => ({
      ...terminal,
      output: change(`terminal:${index}`, terminal.output)
    }))
  }),
  content: tool.content.map((part, index) => withPartText(part, (text) => change(`content:${index}`, text))),
  diffs: tool.diffs.map((diff, index) => {
    const oldText = diff.oldText === null ? null : change(`diff:${index}:old`, diff.oldText)
    const newText = change(`diff:${index}:new`, diff.newText)
    return oldText === diff.oldText && newText === diff.newText ? diff : { ...diff, oldText, newText }
  })
})

const withResultTexts = (result: ToolResult, change: (part: string, text: string) => string): ToolResult => ({
  ...result,
  ...(result.stdout !== undefined && { stdout: change("stdout", result.stdout) }),
  ...(result.stderr !== undefined && { stderr: change("stderr", result.stderr) }),
  ...(result.text !== undefined && { text: change("text", result.text) }),
  ...(result.error !== undefined && { error: change("error", result.error) })
})

const withPartText = (part: ContentPart, change: (text: string) => string): ContentPart => {
  if (part.type === "text") return { ...part, text: change(part.text) }
  if (part.type === "resource" && part.text !== undefined) return { ...part, text: change(part.text) }
  return part.type === "unknown" ? { ...part, raw: change(part.raw) } : part
}

/** The place to cut a text, so that at most `end` units come before. No pair of surrogates is torn. */
const cutAt = (text: string, end: number): number => {
  if (end >= text.length) return text.length
  const before = text.charCodeAt(end - 1)
  const behind = text.charCodeAt(end)
  const torn = before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000
  return torn ? end - 1 : end
}

const nameOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22)
