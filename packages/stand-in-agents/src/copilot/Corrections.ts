/** The edits that the stand-in for Copilot's language server suggests: it corrects one misspelling. */
import type * as Positions from "@signalbox/acp/Positions"

const wrong = "recieve"
const right = "receive"

/** Most alternatives of one answer. */
const most = 3

export interface Correction {
  readonly range: Positions.Range
  readonly text: string
}

/** Alternatives, those behind `from` first. `from` and the ranges are in UTF-16 units. */
export const of = (document: Positions.Lines, from: Positions.Position): ReadonlyArray<Correction> => {
  const { text } = document
  const places: Array<number> = []
  for (let at = text.indexOf(wrong); at !== -1; at = text.indexOf(wrong, at + wrong.length)) places.push(at)
  const caret = document.offsetAt(from)
  const behind = places.filter((place) => place >= caret)
  const before = places.filter((place) => place < caret)
  return [...behind, ...before].slice(0, most).map((place) => ({
    range: { start: document.positionAt(place), end: document.positionAt(place + wrong.length) },
    text: right
  }))
}
