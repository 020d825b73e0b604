/**
 * Places of the file's lines in a document of the editor, and back. They differ where line ends are mixed: there the
 * editor parts lines at LF only, and a carriage return is a character.
 */
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { TextPosition } from "@signalbox/contracts/DocumentReport"
import type { Text } from "@codemirror/state"

/** The place of an offset in the file. */
export const positionOf = (doc: Text, lineEnd: LineEnd, offset: number): TextPosition => {
  if (lineEnd !== "mixed") {
    const { from, number } = doc.lineAt(offset)
    return { line: number - 1, character: offset - from }
  }
  const starts = startsOf(doc)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low, character: offset - (starts[low] ?? 0) }
}

/** The offset of a place in the file. What is beyond a line is its end, and beyond the text the end of the text. */
export const offsetOf = (doc: Text, lineEnd: LineEnd, { character, line }: TextPosition): number => {
  if (lineEnd !== "mixed") {
    if (line >= doc.lines) return doc.length
    const { from, to } = doc.line(line + 1)
    return Math.min(from + character, to)
  }
  const starts = startsOf(doc)
  const start = starts[line]
  if (start === undefined) return doc.length
  const next = starts[line + 1]
  return Math.min(start + character, next === undefined ? doc.length : endBefore(doc, next))
}

/** The end of the line before a line's start. */
const endBefore = (doc: Text, start: number): number =>
  doc.sliceString(Math.max(0, start - 2), start) === "\r\n" ? start - 2 : start - 1

const known = new WeakMap<Text, ReadonlyArray<number>>()

/** The starts of lines in a file with mixed line ends. */
const startsOf = (doc: Text): ReadonlyArray<number> => {
  const before = known.get(doc)
  if (before !== undefined) return before
  const starts = [0]
  for (const { 0: end, index } of doc.toString().matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length)
  known.set(doc, starts)
  return starts
}
