/**
 * Moves long texts of tool calls out of the events that come with every change of a call. The event keeps the text's
 * beginning and the names of its chunks. Chunks are named by their content, so a repeated or grown text is stored once.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { allLineChanges } from "@signalbox/contracts/LineChanges"
import type { LongText, ToolCall, ToolResult } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type { Chunk } from "../storage/ThreadStore.ts"

/** UTF-16 units: the longest text that stays complete, which is also a chunk's size, and the rest of a longer one. */
const longest = 16_384
const previewed = 8192

export interface Extracted {
  /** The events without their long texts. It is the given list itself if there were none. */
  readonly events: ReadonlyArray<ProviderRuntimeEvent>
  /** The chunks to store with the events, each once. Chunks that `known` refers to are left out. */
  readonly chunks: ReadonlyArray<Chunk>
}

type ToolEvent = Extract<ProviderRuntimeEvent, { readonly tool: ToolCall }>

/** Moves out long texts. `known` returns the call before these events, if available: its chunks are stored already. */
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
  /** Chunks by their names. */
  readonly pieces: ReadonlyMap<string, string>
}

/** The call without its long texts. Undefined if it has none. */
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

/** Adds the line counts of the whole change to diffs that were cut. */
const measured = (whole: ToolCall["diffs"], shortened: ToolCall["diffs"]): ToolCall["diffs"] => {
  const changes = allLineChanges(whole.filter((diff, index) => diff !== shortened[index]))
  return shortened.map((diff, index) => {
    const before = whole[index]
    const lines = before === undefined || before === diff ? undefined : changes.get(before)
    return lines === undefined ? diff : { ...diff, lines }
  })
}

/** Whether a call has a long text. It copies nothing, since few calls have any. */
const holdsLong = ({ content, diffs, rawInput, rawOutput, result, terminals }: ToolCall): boolean =>
  isLong(rawInput) ||
  isLong(rawOutput) ||
  (result !== undefined &&
    (isLong(result.stdout) || isLong(result.stderr) || isLong(result.text) || isLong(result.error))) ||
  terminals?.some(({ output }) => isLong(output)) ||
  diffs.some(({ newText, oldText }) => isLong(newText) || isLong(oldText)) ||
  content.some((part) => ("text" in part && isLong(part.text)) || ("raw" in part && isLong(part.raw)))

const isLong = (text: string | null | undefined): boolean => typeof text === "string" && text.length > longest

/** The call with its whole texts. `read` returns a chunk by its name. A text with a missing chunk stays cut. */
export const withWholeTexts = Effect.fnUntraced(function* <E, R>(
  tool: ToolCall,
  read: (name: string) => Effect.Effect<string | undefined, E, R>
): Effect.fn.Return<ToolCall, E, R> {
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

/** The call with changed texts in the places that may be long. `LongText` has their names. */
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

/** The offset to cut a text, with at most `end` units before it. A surrogate pair is not cut. */
const cutAt = (text: string, end: number): number => {
  if (end >= text.length) return text.length
  const before = text.charCodeAt(end - 1)
  const behind = text.charCodeAt(end)
  const torn = before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000
  return torn ? end - 1 : end
}

const nameOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22)
