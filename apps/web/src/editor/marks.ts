/** Marks of lines: those that are unsaved, those that others have written, and those that a conflict is about. */
import { type EditorState, type Extension, RangeSet, StateEffect, StateField, Transaction } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView, gutter, gutterLineClass, GutterMarker } from "@codemirror/view"
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

class ConflictGround extends GutterMarker {
  override elementClass = "cm-conflictGround"
}
const conflictGround = new ConflictGround()

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

const startsOf = (lines: DecorationSet): ReadonlyArray<number> => {
  const starts: Array<number> = []
  for (const iter = lines.iter(); iter.value !== null; iter.next()) starts.push(iter.from)
  return starts
}

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
    return startsOf(state.field(conflict)).map((from) => {
      const { number } = state.doc.lineAt(from)
      return { first: number, last: number, kind: "conflict" }
    })
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
  // The ground of a line reaches through all that stands beside it.
  gutterLineClass.compute([conflict], (state) =>
    RangeSet.of(startsOf(state.field(conflict)).map((from) => conflictGround.range(from)))
  ),
  stripPlaces.of((state) => state.field(unsavedPlaces)),
  stripPlaces.of((state) => state.field(conflictPlaces)),
  ownLines.of((state) => state.field(unsavedPlaces).map(({ first }) => first)),
  strip
]
