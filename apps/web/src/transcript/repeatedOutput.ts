/**
 * Detects repeated output. Agents send a tool's output as its result and again as content, often in a code fence. Pure.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { longPart } from "../words/longTexts.ts"

/** Matches the marks of a code fence. */
const marksOf = /^(?:`{3,32}|~{3,32})/

/**
 * A text without the one code fence around it. Unchanged without a fence, or with text after it. The closing fence may
 * be missing.
 */
export const unfenced = (text: string): string => {
  const start = text.indexOf("\n") + 1
  const [marks] = marksOf.exec(text) ?? []
  if (marks === undefined || start === 0 || text.slice(marks.length, start).includes("`")) return text
  const body = text.slice(start).trimEnd()
  const end = body.lastIndexOf("\n") + 1
  const closed = body.slice(end) === marks
  return closed ? body.slice(0, Math.max(0, end - 1)) : text.slice(start)
}

/** Most characters that a fence and blank ends add. Two long texts whose lengths differ by less may be equal. */
const around = 64

/** Whether a piece of content only repeats the result, which is shown already. */
export const isRepeatedOutput = (part: ContentPart, index: number, tool: ToolCall): boolean => {
  const { result } = tool
  if (part.type !== "text" || result === undefined) return false
  const said = { text: unfenced(part.text).trim(), long: longPart(tool, `content:${index}`) }
  if (said.text === "") return false
  return (["text", "stdout", "stderr", "error"] as const).some((name) => {
    const shown = { text: result[name]?.trim() ?? "", long: longPart(tool, name) }
    if (said.long === undefined && shown.long === undefined) return said.text === shown.text
    if (said.long === undefined || shown.long === undefined || shown.text === "") return false
    // Only their beginnings are here, cut at one length. A fence makes one of them shorter.
    const near = Math.abs(said.long.length - shown.long.length) <= around
    return near && (said.text.startsWith(shown.text) || shown.text.startsWith(said.text))
  })
}
