/** The caret that a change leaves. VS Code says it only afterwards, and until then a caret seems to have been moved. Pure. */
import type { TextChange, TextPosition } from "@signalbox/contracts/DocumentReport"

/** Undefined if the change was elsewhere, or in several places. `before`: the caret before it. */
export const after = (before: TextPosition, changes: ReadonlyArray<TextChange>): TextPosition | undefined => {
  const [change, ...more] = changes
  if (change?.range === undefined || more.length > 0) return undefined
  const { end, start } = change.range
  if (isBefore(before, start) || isBefore(end, before)) return undefined
  const lines = change.text.split(/\r\n|\r|\n/)
  const last = lines.at(-1) ?? ""
  return lines.length === 1
    ? { line: start.line, character: start.character + last.length }
    : { line: start.line + lines.length - 1, character: last.length }
}

const isBefore = (one: TextPosition, other: TextPosition): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character)
