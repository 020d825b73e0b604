/** The text of an open file in the editor, whether it is on the screen or behind another tab. */
import { lineEndOf, type LineEnd } from "@signalbox/contracts/Documents"
import {
  ChangeSet,
  Compartment,
  EditorState,
  type Extension,
  type StateEffect,
  type Text,
  Transaction,
  type TransactionSpec
} from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { type DiskChange } from "./authors/Author.ts"
import { fromDisk } from "./authors/disk.ts"
import { changedLines } from "./authors/changedLines.ts"
import { toDoc, toText } from "./lineEnds.ts"
import { changesBetween, type TextChange } from "./textChanges.ts"

export interface Buffer {
  readonly state: EditorState
  readonly lineEnd: LineEnd
  /** The text with its own line ends. */
  readonly text: string
  /**
   * Puts another text in its place, and returns how many of its lines are new or changed. `disk`: the text on the disk that
   * the changes come from. `undoable`: as one step of people, and not as a change from elsewhere.
   */
  readonly replace: (text: string, disk?: DiskChange, undoable?: boolean) => number
  /** Changes the text, shown or not. */
  readonly dispatch: (change: TransactionSpec) => void
  readonly mark: (...effects: ReadonlyArray<StateEffect<unknown>>) => void
  readonly lock: (readOnly: boolean) => void
  /** Shows the text in a shadow root. The returned function takes it away again. */
  readonly show: (parent: HTMLElement, root: ShadowRoot) => () => void
  readonly view: EditorView | undefined
  /** Calls after each change of text or caret, until the returned function is called. */
  readonly onUpdate: (call: () => void) => () => void
}

/** A carriage return is a character where line ends are mixed, and else a part of a line end. */
const parting = (lineEnd: LineEnd): Extension => (lineEnd === "mixed" ? EditorState.lineSeparator.of("\n") : [])

/** `onChange`: after each change of the text, with the text before it. */
export const make = (text: string, extensions: Extension, onChange: () => void): Buffer => {
  const lines = new Compartment()
  const writing = new Compartment()
  let lineEnd = lineEndOf(text)
  let view: EditorView | undefined
  let scroll: StateEffect<unknown> | undefined
  const listeners = new Set<() => void>()
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange()
    for (const call of listeners) call()
  })
  let kept = EditorState.create({
    doc: toDoc(text, lineEnd),
    extensions: [lines.of(parting(lineEnd)), writing.of(EditorState.readOnly.of(true)), extensions, listener]
  })
  const current = () => view?.state ?? kept
  const apply = (transaction: Transaction) => {
    if (view !== undefined) return view.dispatch(transaction)
    kept = transaction.state
    if (transaction.docChanged) onChange()
  }
  const dispatch = (spec: TransactionSpec) => apply(current().update(spec))
  return {
    get state() {
      return current()
    },
    get lineEnd() {
      return lineEnd
    },
    get text() {
      return toText(current().doc, lineEnd)
    },
    get view() {
      return view
    },
    replace: (next, disk, undoable = false) => {
      lineEnd = lineEndOf(next)
      const { doc, selection } = current()
      const changes = changesBetween(doc.toString(), toDoc(next, lineEnd).toString())
      const effects = lines.reconfigure(parting(lineEnd))
      if (changes.length === 0) {
        dispatch({ effects })
        return 0
      }
      const set = ChangeSet.of(
        changes.map(({ insert, ...place }) => ({ ...place, insert: toDoc(insert, "lf") })),
        doc.length
      )
      const caret = caretIn(changes, doc, set, selection.main.head)
      const origin = disk === undefined ? [] : [fromDisk.of(disk)]
      const transaction = current().update({
        changes: set,
        effects,
        ...(caret !== undefined && { selection: { anchor: caret } }),
        ...(undoable
          ? { userEvent: "input.theirs", annotations: origin }
          : { annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true), ...origin] })
      })
      apply(transaction)
      return changedLines(transaction, false).length
    },
    dispatch,
    mark: (...effects) => dispatch({ effects }),
    lock: (readOnly) => dispatch({ effects: writing.reconfigure(EditorState.readOnly.of(readOnly)) }),
    onUpdate: (call) => {
      listeners.add(call)
      return () => listeners.delete(call)
    },
    show: (parent, root) => {
      const shown = new EditorView({ state: kept, parent, root, ...(scroll !== undefined && { scrollTo: scroll }) })
      view = shown
      return () => {
        kept = shown.state
        scroll = shown.scrollSnapshot()
        if (view === shown) view = undefined
        shown.destroy()
      }
    }
  }
}

/** The place of a caret whose line is replaced: it stays in that line. Undefined: the changes move it as they move all else. */
const caretIn = (changes: ReadonlyArray<TextChange>, doc: Text, set: ChangeSet, head: number): number | undefined => {
  const around = changes.find(({ from, to }) => head > from && head < to)
  if (around === undefined) return undefined
  const after = set.apply(doc)
  const below = doc.lineAt(head).number - doc.lineAt(around.from).number
  const first = after.lineAt(set.mapPos(around.from, -1)).number
  const last = after.lineAt(set.mapPos(around.to, 1)).number
  const line = after.line(Math.min(first + below, last))
  return Math.min(line.from + head - doc.lineAt(head).from, line.to)
}
