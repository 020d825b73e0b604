/** The edits of a suggestion as changes of a text: in order, and no longer than needed. Pure. */
import type { Lines } from "@signalbox/acp/Positions"
import type { TextEdit } from "@signalbox/contracts/DocumentReport"
import type { TextChange } from "@signalbox/contracts/LineHunks"
import { inOrder } from "@signalbox/contracts/SmallestChange"

export type Change = TextChange

/** Undefined where two edits overlap, which no editor applies. `lineEnd`: that of the text. */
export const changesOf = (
  lines: Lines,
  lineEnd: string,
  edits: ReadonlyArray<TextEdit>
): ReadonlyArray<Change> | undefined =>
  inOrder(
    edits.map(({ newText, range }) => ({
      from: lines.offsetAt(range.start),
      to: lines.offsetAt(range.end),
      insert: newText.replaceAll(/\r\n|\r|\n/g, lineEnd)
    })),
    (from, to) => lines.slice(from, to)
  )

/** The text after changes that are in order. */
export const applied = (text: string, changes: ReadonlyArray<Change>): string => {
  let at = 0
  let result = ""
  for (const { from, insert, to } of changes) {
    result += text.slice(at, from) + insert
    at = to
  }
  return result + text.slice(at)
}

/** The offset behind what was put in last, in the text after the changes. */
export const endOf = (changes: ReadonlyArray<Change>): number => {
  const last = changes.at(-1)
  if (last === undefined) return 0
  const grown = changes.reduce((sum, { from, insert, to }) => sum + insert.length - (to - from), 0)
  return last.to + grown
}
