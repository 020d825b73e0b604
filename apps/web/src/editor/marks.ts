/** Marks of lines: those that are unsaved, and those that were changed on the disk, too. */
import { type EditorState, type Extension, RangeSet, StateEffect, StateField, Transaction } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView, gutter, GutterMarker } from "@codemirror/view"

/** All text is on the disk now. */
export const nothingUnsaved = StateEffect.define()

/** The lines that a conflict is about. None of them: the conflict is over. */
export const conflictLines = StateEffect.define<ReadonlyArray<{ readonly from: number; readonly to: number }>>()

class UnsavedLine extends GutterMarker {
  override elementClass = "cm-unsavedLine"
}
const unsavedLine = new UnsavedLine()

const unsaved = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (lines, transaction) => {
    if (transaction.effects.some((effect) => effect.is(nothingUnsaved))) return RangeSet.empty
    if (!transaction.docChanged) return lines
    const mapped = lines.map(transaction.changes)
    return transaction.annotation(Transaction.remote) === true
      ? mapped
      : mapped.update({ add: added(mapped, transaction) })
  }
})

/** The marks of changed lines that have none yet. */
const added = (known: RangeSet<GutterMarker>, { changes, state: { doc } }: Transaction) => {
  const starts = new Set<number>()
  changes.iterChangedRanges((_from, _to, from, to) => {
    const last = doc.lineAt(to).number
    for (let line = doc.lineAt(from).number; line <= last; line++) starts.add(doc.line(line).from)
  })
  return [...starts]
    .filter((start) => known.iter(start).from !== start || known.iter(start).value === null)
    .map((start) => unsavedLine.range(start))
}

const inConflict = Decoration.line({ class: "cm-conflict" })

const conflict = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, transaction) => {
    const effect = transaction.effects.find((one) => one.is(conflictLines))
    return effect === undefined ? lines.map(transaction.changes) : marked(transaction.state, effect.value)
  },
  provide: (field) => EditorView.decorations.from(field)
})

const marked = (
  { doc }: EditorState,
  places: ReadonlyArray<{ readonly from: number; readonly to: number }>
): DecorationSet =>
  Decoration.set(
    places.flatMap(({ from, to }) => {
      const last = Math.min(doc.lines, Math.max(from, to))
      return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) =>
        inConflict.range(doc.line(from + index).from)
      )
    }),
    true
  )

export const marks: Extension = [
  unsaved,
  conflict,
  gutter({ class: "cm-unsavedGutter", markers: (view) => view.state.field(unsaved) })
]
