/** Marks of lines: those that are unsaved, those that others have written, and those that a conflict is about. */
import { type EditorState, type Extension, RangeSet, StateEffect, StateField, Transaction } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView, gutter, GutterMarker } from "@codemirror/view"
import { changedLines } from "./authors/changedLines.ts"
import { others, ownLines } from "./authors/disk.ts"
import { strip, stripPlaces, type StripPlace } from "./strip/strip.ts"

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
const added = (known: RangeSet<GutterMarker>, transaction: Transaction) =>
  changedLines(transaction, true)
    .filter((start) => known.iter(start).from !== start || known.iter(start).value === null)
    .map((start) => unsavedLine.range(start))

/** The lines that are unsaved, each run of them: from 1. */
const unsavedRuns = (state: EditorState) => {
  const runs: Array<{ first: number; last: number }> = []
  for (const iter = state.field(unsaved).iter(); iter.value !== null; iter.next()) {
    const { number } = state.doc.lineAt(iter.from)
    const before = runs.at(-1)
    if (before !== undefined && number <= before.last + 1) before.last = number
    else runs.push({ first: number, last: number })
  }
  return runs
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

const unsavedPlaces = StateField.define<ReadonlyArray<StripPlace>>({
  create: () => [],
  update: (before, { startState, state }) =>
    startState.field(unsaved) === state.field(unsaved)
      ? before
      : unsavedRuns(state).map((run) => ({ ...run, kind: "own" as const }))
})

const conflictPlaces = StateField.define<ReadonlyArray<StripPlace>>({
  create: () => [],
  update: (before, { startState, state }) => {
    if (startState.field(conflict) === state.field(conflict)) return before
    const places: Array<StripPlace> = []
    for (const iter = state.field(conflict).iter(); iter.value !== null; iter.next()) {
      const { number } = state.doc.lineAt(iter.from)
      places.push({ first: number, last: number, kind: "conflict" })
    }
    return places
  }
})

export const marks: Extension = [
  unsaved,
  conflict,
  unsavedPlaces,
  conflictPlaces,
  gutter({
    class: "cm-unsavedGutter",
    markers: ({ state }) => [state.field(unsaved), state.facet(others)?.marks(state) ?? RangeSet.empty]
  }),
  stripPlaces.of((state) => state.field(unsavedPlaces)),
  stripPlaces.of((state) => state.field(conflictPlaces)),
  ownLines.of((state) => state.field(unsavedPlaces).map(({ first }) => first)),
  strip
]
