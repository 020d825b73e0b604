/** The edits of a suggestion as changes of a document. */
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { TextEdit } from "@signalbox/contracts/DocumentReport"
import type { TextChange } from "@signalbox/contracts/LineHunks"
import { inOrder } from "@signalbox/contracts/SmallestChange"
import type { Text } from "@codemirror/state"
import { offsetOf } from "../reporting/positions.ts"

export type Change = TextChange

/**
 * What edits change, in order and no longer than needed. Edits that overlap are not drawn and not applied: undefined.
 */
export const changesOf = (
  doc: Text,
  lineEnd: LineEnd,
  edits: ReadonlyArray<TextEdit>
): ReadonlyArray<Change> | undefined =>
  inOrder(
    edits.map(({ newText, range }) => ({
      from: offsetOf(doc, lineEnd, range.start),
      to: offsetOf(doc, lineEnd, range.end),
      insert: lineEnd === "mixed" ? newText : newText.replaceAll(/\r\n?/g, "\n")
    })),
    (from, to) => doc.sliceString(from, to)
  )
