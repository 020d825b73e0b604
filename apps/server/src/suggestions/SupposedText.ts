/**
 * The text as it was before a person gave a symbol its new name in one place. A language server knows all places of a symbol only while
 * these have one name: where its definition has another, the rest of them mean nothing.
 */
import type { Edit, Lines, Position } from "@signalbox/acp/Positions"
import type { Document } from "../editing/Documents.ts"
import * as SuggestedText from "../editing/SuggestedText.ts"

export interface SupposedText {
  readonly lines: Lines
  /** The place of the suggestion in it. */
  readonly position: Position
  /** The line in which the new name stands now, from zero. */
  readonly line: number
  readonly oldName: string
  readonly newName: string
  /** Whether the place that has the new name by now is among the edits of this text. */
  readonly isAmong: (edits: ReadonlyArray<Edit>) => boolean
  /** Edits of this text as edits of the text of now. What is done there already is left out. */
  readonly now: (edits: ReadonlyArray<Edit>) => ReadonlyArray<Edit>
}

/** Most places that may be the one which the person has changed. Each costs a server some work. */
const most = 3

/** Nearest to the caret first. `position`: a place that still has the old name. */
export const before = (
  { focus, lines }: Pick<Document, "focus" | "lines">,
  position: Position,
  newName: string
): ReadonlyArray<SupposedText> => {
  const oldName = SuggestedText.wordAt(lines, position)
  if (oldName === undefined || oldName === newName) return []
  const caret = lines.offsetAt(focus?.position ?? position)
  return [...SuggestedText.placesOfWord(lines.text, newName)]
    .toSorted((one, other) => Math.abs(one - caret) - Math.abs(other - caret))
    .slice(0, most)
    .map((from) => supposed(lines, from, position, oldName, newName))
}

const supposed = (lines: Lines, from: number, position: Position, oldName: string, newName: string): SupposedText => {
  const range = { start: lines.positionAt(from), end: lines.positionAt(from + newName.length) }
  const then = lines.edit([{ range, newText: oldName }])
  const longer = newName.length - oldName.length
  const at = lines.offsetAt(position)
  const nowOf = (offset: number) => lines.positionAt(offset > from ? offset + longer : offset)
  return {
    lines: then,
    position: then.positionAt(at > from ? at - longer : at),
    line: range.start.line,
    oldName,
    newName,
    isAmong: (edits) => edits.some(({ range: { start } }) => then.offsetAt(start) === from),
    now: (edits) =>
      edits.flatMap(({ newText, range: { end, start } }) => {
        const [first, last] = [then.offsetAt(start), then.offsetAt(end)]
        if (first !== from) return [{ newText, range: { start: nowOf(first), end: nowOf(last) } }]
        // A server may want more than the new name there, such as the name of a field before it.
        return newText === newName ? [] : [{ newText, range }]
      })
  }
}
