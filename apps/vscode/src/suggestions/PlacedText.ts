/** A text in which a place of a suggestion may still be the same. Pure. */
import type { SuggestedPlace } from "@signalbox/contracts/Suggestions"

export interface PlacedText {
  /** How many lines there are. */
  readonly lines: number
  readonly line: (at: number) => string
  /** Whether it is the text that the server knows, as far as anybody can say. */
  readonly isSameText: boolean
}

/** The server cuts lines that are longer. */
const longestLine = 400

/** Whether the lines of a place are those that the server has shown. Where it has not shown all of them, the text counts. */
export const isSame = ({ isSameText, line, lines }: PlacedText, place: SuggestedPlace): boolean => {
  const { end, start } = place.range
  if (end.line >= lines) return false
  const shown = [place.line, ...place.after].slice(0, end.line - start.line + 1)
  const isShown = shown.length === end.line - start.line + 1 && shown.every((text) => text.length < longestLine)
  return (
    shown.every((text, at) => isSameLine(line(start.line + at), text)) &&
    end.character <= line(end.line).length &&
    (isShown || isSameText)
  )
}

const isSameLine = (now: string, shown: string): boolean =>
  shown.length < longestLine ? now === shown : now.startsWith(shown)
