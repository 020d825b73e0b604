/** The edits of a suggestion as changes of a document. */
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { TextEdit } from "@signalbox/contracts/DocumentReport"
import type { Text } from "@codemirror/state"
import { offsetOf } from "../reporting/positions.ts"

/** A change of a document of the editor, in its own offsets. */
export interface Change {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/**
 * What edits change, in order and no longer than needed. Edits that overlap are not drawn and not applied: undefined.
 */
export const changesOf = (
  doc: Text,
  lineEnd: LineEnd,
  edits: ReadonlyArray<TextEdit>
): ReadonlyArray<Change> | undefined => {
  const changes = edits
    .map(({ newText, range }) => ({
      from: offsetOf(doc, lineEnd, range.start),
      to: offsetOf(doc, lineEnd, range.end),
      insert: lineEnd === "mixed" ? newText : newText.replaceAll(/\r\n?/g, "\n")
    }))
    .sort((one, other) => one.from - other.from || one.to - other.to)
  for (const [index, { from, to }] of changes.entries())
    if (from > to || from < (changes[index - 1]?.to ?? 0)) return undefined
  return changes.map((change) => shortest(doc, change)).filter(({ from, insert, to }) => from < to || insert !== "")
}

/** Leaves out what stays at both ends. */
const shortest = (doc: Text, { from, insert, to }: Change): Change => {
  const old = doc.sliceString(from, to)
  const most = Math.min(old.length, insert.length)
  let head = 0
  while (head < most && old.charCodeAt(head) === insert.charCodeAt(head)) head += 1
  // Half a character is never cut off.
  if (head > 0 && isHigh(old.charCodeAt(head - 1))) head -= 1
  let tail = 0
  while (tail < most - head && old.charCodeAt(old.length - 1 - tail) === insert.charCodeAt(insert.length - 1 - tail))
    tail += 1
  if (tail > 0 && isLow(old.charCodeAt(old.length - tail))) tail -= 1
  return { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
