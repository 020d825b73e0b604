/** The edits of a suggestion as changes of a text: in order, and no longer than needed. Pure. */
import type { Lines } from "@signalbox/acp/Positions"
import type { TextEdit } from "@signalbox/contracts/DocumentReport"

/** A place in a text, in UTF-16 units, and what takes it. */
export interface Change {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** Undefined where two edits overlap, which no editor applies. `lineEnd`: that of the text. */
export const changesOf = (
  lines: Lines,
  lineEnd: string,
  edits: ReadonlyArray<TextEdit>
): ReadonlyArray<Change> | undefined => {
  const changes = edits
    .map(({ newText, range }) => ({
      from: lines.offsetAt(range.start),
      to: lines.offsetAt(range.end),
      insert: newText.replaceAll(/\r\n|\r|\n/g, lineEnd)
    }))
    .toSorted((one, other) => one.from - other.from || one.to - other.to)
  let end = 0
  for (const { from, to } of changes) {
    if (from > to || from < end) return undefined
    end = to
  }
  return changes.map((change) => shortest(lines, change)).filter(({ from, insert, to }) => from < to || insert !== "")
}

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

/** Leaves out what stays at both ends. */
const shortest = (lines: Lines, { from, insert, to }: Change): Change => {
  const old = lines.slice(from, to)
  const most = Math.min(old.length, insert.length)
  let head = 0
  while (head < most && old.charCodeAt(head) === insert.charCodeAt(head)) head++
  if (cuts(old, head) || cuts(insert, head)) head--
  let tail = 0
  while (tail < most - head && old.charCodeAt(old.length - 1 - tail) === insert.charCodeAt(insert.length - 1 - tail))
    tail++
  if (cuts(old, old.length - tail) || cuts(insert, insert.length - tail)) tail--
  return { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) }
}

/** Whether the place is within a pair of surrogates, or within CR LF. */
const cuts = (text: string, at: number): boolean => {
  const left = text.charCodeAt(at - 1)
  const right = text.charCodeAt(at)
  return (left === 0x0d && right === 0x0a) || (left >= 0xd8_00 && left < 0xdc_00 && right >= 0xdc_00 && right < 0xe0_00)
}
