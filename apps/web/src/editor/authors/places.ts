/** The lines that others wrote, for people who go through them: how many there are, and the next ones. */
import type { EditorState } from "@codemirror/state"
import { type Command, EditorView, type KeyBinding } from "@codemirror/view"
import { announce } from "../../browser/announcer.ts"
import { count } from "../../words/figures.ts"
import { authored, runsOf } from "./authorMarks.ts"

/** The words for all marked lines of a file. Undefined if there are none. */
export const othersIn = (state: EditorState): string | undefined => {
  const { marks, work } = state.field(authored)
  if (marks.size === 0) return undefined
  let isAgent = true
  for (const iter = marks.iter(); iter.value !== null && isAgent; iter.next())
    isAgent = iter.value.author.by === "agent"
  return isAgent ? `${count(marks.size, "line")} by ${work.agent}` : `${count(marks.size, "line")} changed on disk`
}

const goTo =
  (step: 1 | -1): Command =>
  (view) => {
    const { state } = view
    const runs = runsOf(state)
    if (runs.length === 0) return false
    const line = state.doc.lineAt(state.selection.main.head).number
    const found =
      step === 1 ? runs.findIndex(({ first }) => first > line) : runs.findLastIndex(({ first }) => first < line)
    const at = found === -1 ? (step === 1 ? 0 : runs.length - 1) : found
    const run = runs[at]
    if (run === undefined) return false
    const { from } = state.doc.line(run.first)
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
    const lines = run.first === run.last ? `Line ${run.first}` : `Lines ${run.first} to ${run.last}`
    announce(`${lines}: ${run.author.label}. ${at + 1} of ${runs.length}. ${run.author.evidence}`)
    return true
  }

/** Goes to the next lines that others wrote. Behind the last ones come the first. */
export const goToNext = goTo(1)

export const placeKeys: ReadonlyArray<KeyBinding> = [
  { key: "Alt-F5", run: goToNext, shift: goTo(-1), preventDefault: true }
]
