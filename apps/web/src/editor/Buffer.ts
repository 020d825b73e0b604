/** The text of an open file in the editor, whether it is on the screen or behind another tab. */
import { lineEndOf, type LineEnd } from "@signalbox/contracts/Documents"
import {
  Compartment,
  EditorState,
  type Extension,
  type StateEffect,
  type Text,
  Transaction,
  type TransactionSpec
} from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { changeBetween, toDoc, toText } from "./lineEnds.ts"

export interface Buffer {
  readonly state: EditorState
  readonly lineEnd: LineEnd
  /** The text with its own line ends. */
  readonly text: string
  /** Puts another text in its place. `undoable`: as one step of people, and not as a change from elsewhere. */
  readonly replace: (text: string, undoable?: boolean) => void
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
  const dispatch = (spec: TransactionSpec) => {
    if (view !== undefined) return view.dispatch(spec)
    const transaction = kept.update(spec)
    kept = transaction.state
    if (transaction.docChanged) onChange()
  }
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
    replace: (next, undoable = false) => {
      lineEnd = lineEndOf(next)
      const { doc, selection } = current()
      const after = toDoc(next, lineEnd)
      const change = changeBetween(doc.toString(), after.toString())
      const effects = lines.reconfigure(parting(lineEnd))
      if (change === undefined) return dispatch({ effects })
      const { head } = selection.main
      const inside = head > change.from && head < change.to
      dispatch({
        changes: { from: change.from, to: change.to, insert: toDoc(change.insert, "lf") },
        effects,
        // The caret stays in its line where that was replaced.
        ...(inside && { selection: { anchor: sameCaret(doc, after, head) } }),
        ...(undoable
          ? { userEvent: "input.theirs" }
          : { annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)] })
      })
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

const sameCaret = (before: Text, after: Text, head: number): number => {
  const { from, number } = before.lineAt(head)
  const line = after.line(Math.min(number, after.lines))
  return Math.min(line.from + head - from, line.to)
}
