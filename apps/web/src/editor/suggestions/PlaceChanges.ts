/** Changes the chosen places of a renaming or a replacement: each file in its buffer, as soon as it can be changed. */
import { isolateHistory } from "@codemirror/commands"
import { announce } from "../../browser/announcer.ts"
import { count } from "../../words/figures.ts"
import { type EditedFile, isFree } from "./access.ts"
import { applicable, type ChosenFile } from "./places.ts"

export interface PlaceChanges {
  readonly begin: (chosen: ReadonlyArray<ChosenFile>) => void
  /** A file may be free to be changed now. */
  readonly look: (file: EditedFile) => void
}

/** `open`: opens a file that is not open. `isPaused`: whether the thread's agent edits a file. */
export const make = (open: (path: string) => void, isPaused: (path: string) => boolean): PlaceChanges => {
  const waiting = new Map<string, ChosenFile>()
  return {
    begin: (chosen) => {
      const places = chosen.reduce((sum, file) => sum + file.places.length, 0)
      announce(`Changed: ${count(places, "place")} in ${count(chosen.length, "file")}. Nothing is saved yet.`)
      for (const file of chosen) {
        waiting.set(file.path, file)
        open(file.path)
      }
    },
    look: ({ buffer: bufferOf, path, state }) => {
      const chosen = waiting.get(path)
      const now = state.get()
      const buffer = bufferOf()
      if (chosen === undefined) return
      const name = path.slice(path.lastIndexOf("/") + 1)
      if (now.text === "none" || now.readOnly !== undefined) {
        waiting.delete(path)
        announce(`${name} can’t be changed here. Its places stay as they are.`)
        return
      }
      if (buffer === undefined || !isFree(now) || isPaused(path)) return
      waiting.delete(path)
      const { changes, leftOut } = applicable(buffer.state.doc, buffer.lineEnd, chosen.places)
      if (changes.length > 0)
        buffer.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "input.suggestion" })
      if (leftOut > 0)
        announce(`${name} has changed since. Left out: ${leftOut} of ${count(chosen.places.length, "place")}.`)
    }
  }
}
