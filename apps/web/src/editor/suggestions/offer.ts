/** What is suggested for a document now. It is drawn and never part of the text. Any change that it doesn't say ends it. */
import { type EditorState, StateEffect, StateField, type Transaction } from "@codemirror/state"
import type { SuggestedPlace } from "@signalbox/contracts/Suggestions"
import type { Change } from "./edits.ts"

/** An edit of this document. */
export interface OfferedEdit {
  readonly type: "edit"
  readonly id: string
  readonly changes: ReadonlyArray<Change>
  /** The place of the caret, in the text after the changes. */
  readonly caret: number
}

/** Anything else: a place, or a panel that opens. */
export interface OfferedStep {
  readonly type: "step"
  readonly id: string
  /** What the key does, as "jump to line 214". */
  readonly words: string
  /** The line as it will be, if it is known. */
  readonly preview: Preview
  /** The places of another file that it changes, as they were when the preview was drawn. */
  readonly seen?: ReadonlyArray<SuggestedPlace>
  /** The line of this document that it leads to, from 1. */
  readonly line: number | undefined
}

export type Preview = ReadonlyArray<{ readonly text: string; readonly kind: "same" | "old" | "new" }>

export type Offered = OfferedEdit | OfferedStep

export interface Offer {
  readonly all: ReadonlyArray<Offered>
  /** The one that is shown. */
  readonly at: number
  /** Whether it was asked for with a selection. */
  readonly isForSelection?: boolean
}

export const showOffer = StateEffect.define<Offer | undefined>()

/** Undefined: nothing is suggested. */
export const offer = StateField.define<Offer | undefined>({
  create: () => undefined,
  update: (before, transaction) => {
    for (const effect of transaction.effects) if (effect.is(showOffer)) return effect.value
    if (before === undefined || !transaction.docChanged) return before
    const all = before.all.flatMap((one) => rest(one, transaction) ?? [])
    const shown = before.all[before.at]
    const at = all.findIndex(({ id }) => id === shown?.id)
    return at === -1 ? undefined : { ...before, all, at }
  }
})

/** What is left of an insertion after its beginning was typed. */
const rest = (offered: Offered, { changes }: Transaction): Offered | undefined => {
  if (offered.type === "step" || offered.changes.length !== 1) return undefined
  const [change] = offered.changes
  if (change === undefined || change.from !== change.to) return undefined
  const typed: Array<Change> = []
  changes.iterChanges((from, to, _from, _to, inserted) => typed.push({ from, to, insert: inserted.toString() }), true)
  const [one, ...more] = typed
  if (one === undefined || more.length > 0 || one.from !== change.from || one.to !== one.from) return undefined
  if (one.insert.includes("\n") || !change.insert.startsWith(one.insert)) return undefined
  if (one.insert.length === change.insert.length) return undefined
  const from = change.from + one.insert.length
  return { ...offered, changes: [{ from, to: from, insert: change.insert.slice(one.insert.length) }] }
}

/** What is drawn now. With a selection, or several carets, keys mean something else. */
export const shownIn = (state: EditorState): Offered | undefined => {
  const now = state.field(offer, false)
  const { main, ranges } = state.selection
  if (now === undefined || state.readOnly || ranges.length > 1) return undefined
  return main.empty || now.isForSelection === true ? now.all[now.at] : undefined
}

/** Whether the caret is at the edit, so that it can be accepted. Otherwise, the first key leads there. */
export const isNear = ({ doc, selection }: EditorState, { changes }: OfferedEdit): boolean => {
  const line = doc.lineAt(selection.main.head).number
  return changes.some(
    ({ from, to }) => line >= doc.lineAt(from).number - 1 && line <= doc.lineAt(Math.min(to, doc.length)).number + 1
  )
}

/** The line that a key leads to, from 1. Undefined if there is none. */
export const lineOf = ({ doc }: EditorState, offered: Offered): number | undefined => {
  if (offered.type === "step") return offered.line
  const [first] = offered.changes
  return first === undefined ? undefined : doc.lineAt(first.from).number
}
