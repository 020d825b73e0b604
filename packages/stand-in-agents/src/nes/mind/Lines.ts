/** Lines of a text, found by an offset. They end with LF, CRLF or CR. */
import * as Positions from "@signalbox/acp/Positions"
import type { Known, Span } from "./Scene.ts"

export const lineBreak = /\r\n|\n|\r/

const isBreak = (code: number) => code === 10 || code === 13

/** The line around an offset, without what ends it. */
export const lineAround = (text: string, at: number): Span => {
  let start = at
  while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--
  let end = at
  while (end < text.length && !isBreak(text.charCodeAt(end))) end++
  return { start, end }
}

/** The start of the line below, or undefined below the last one. */
export const nextLineStart = (text: string, lineEnd: number): number | undefined => {
  if (lineEnd >= text.length) return undefined
  return lineEnd + (text.startsWith("\r\n", lineEnd) ? 2 : 1)
}

/** The line above, or undefined above the first one. */
export const lineAbove = (text: string, lineStart: number): Span | undefined => {
  if (lineStart === 0) return undefined
  return lineAround(text, lineStart - (text.startsWith("\r\n", lineStart - 2) ? 2 : 1))
}

/** The number of ends of lines between two offsets, up to `most`. */
export const linesBetween = (text: string, one: number, other: number, most: number): number => {
  const end = Math.max(one, other)
  let count = 0
  for (let at = Math.min(one, other); at < end && count < most; at++)
    if (text.charCodeAt(at) === 10 || (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) !== 10)) count++
  return count
}

/** What a line begins with: its spaces and tabs. */
export const indentation = (line: string): string => {
  let end = 0
  while (line[end] === " " || line[end] === "\t") end++
  return line.slice(0, end)
}

/** The position in its file of an offset in a known text, in UTF-16 units. */
export const positionIn = ({ firstLine, text }: Known, at: number): Positions.Position => {
  const { character, line } = Positions.of(text).positionAt(at)
  return { line: line + firstLine, character }
}
