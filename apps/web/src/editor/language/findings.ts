/** What language servers find wrong, drawn below the text. It moves with the text until they have looked again. */
import { type EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view"
import type { Diagnostic } from "@signalbox/contracts/LanguageFeatures"

/** A finding at its place in the text. `server`: the name of who found it. */
export interface Finding {
  readonly from: number
  readonly to: number
  readonly server: string
  readonly diagnostic: Diagnostic
}

/** Takes the place of all findings of the text. */
export const setFindings = StateEffect.define<ReadonlyArray<Finding>>()

const rank = { error: 3, warning: 2, information: 1, hint: 0 } as const

const classOf = ({ fades, severity }: Diagnostic): string =>
  `cm-finding-${severity}${fades === undefined ? "" : ` cm-finding-${fades}`}`

const draw = (findings: ReadonlyArray<Finding>, length: number): DecorationSet => {
  const marks = new RangeSetBuilder<Decoration>()
  const inOrder = findings.toSorted(
    (one, other) => one.from - other.from || rank[other.diagnostic.severity] - rank[one.diagnostic.severity]
  )
  for (const finding of inOrder) {
    const from = Math.min(finding.from, length)
    const to = Math.min(finding.to, length)
    // A place without a character has nothing to be drawn below.
    if (from < to) marks.add(from, to, Decoration.mark({ class: classOf(finding.diagnostic), finding }))
  }
  return marks.finish()
}

interface Found {
  readonly all: ReadonlyArray<Finding>
  readonly drawn: DecorationSet
}

const none: Found = { all: [], drawn: RangeSet.empty }

const field = StateField.define<Found>({
  create: () => none,
  update: (before, { changes, docChanged, effects, newDoc }) => {
    const set = effects.findLast((effect) => effect.is(setFindings))
    if (set !== undefined) return { all: set.value, drawn: draw(set.value, newDoc.length) }
    if (!docChanged || before.all.length === 0) return before
    return {
      all: before.all.map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) })),
      drawn: before.drawn.map(changes)
    }
  },
  provide: (found) => EditorView.decorations.from(found, ({ drawn }) => drawn)
})

/** The findings of a text, in the order of their places. */
export const findingsOf = (state: EditorState): ReadonlyArray<Finding> =>
  (state.field(field, false) ?? none).all.toSorted((one, other) => one.from - other.from)

/** The findings at an offset: those that have it within, or at an end. */
export const findingsAt = (state: EditorState, at: number): ReadonlyArray<Finding> =>
  findingsOf(state).filter(({ from, to }) => from <= at && at <= to)

const wavy = (color: string) => ({
  textDecoration: `underline wavy ${color} 1px`,
  textUnderlineOffset: "3px",
  textDecorationSkipInk: "none"
})

export const findings = [
  field,
  EditorView.theme({
    ".cm-finding-error": wavy("var(--red)"),
    ".cm-finding-warning": wavy("var(--amber-lamp)"),
    ".cm-finding-information": { textDecoration: "underline dotted var(--blue) 1px", textUnderlineOffset: "3px" },
    ".cm-finding-hint": { textDecoration: "underline dotted var(--edge) 1px", textUnderlineOffset: "3px" },
    ".cm-finding-unnecessary": { opacity: "0.6" },
    ".cm-finding-deprecated": { textDecoration: "line-through 1px" }
  })
]
