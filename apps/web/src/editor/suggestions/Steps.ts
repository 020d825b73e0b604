/** Suggestions that are more than an edit of the shown file: places to go to, edits of other files, lists of places. */
import type { Suggestion } from "@signalbox/contracts/Suggestions"
import { announce } from "../../browser/announcer.ts"
import { makeStore, type Store } from "../../browser/Store.ts"
import { type EditorAccess, isFree } from "./access.ts"
import { goTo } from "./actions.ts"
import type { Ends } from "./Ends.ts"
import type { FollowedFile } from "./FollowedFiles.ts"
import { editIn } from "./offers.ts"
import { offsetOf } from "./positions.ts"
import { clear, put, say } from "./showing.ts"

/** A suggestion whose places people choose. */
export type Many = Extract<Suggestion, { readonly kind: "rename" | "searchAndReplace" }>

export interface Steps {
  /** The suggestion whose places are shown. */
  readonly many: Store<Many | undefined>
  /** Does what a suggestion of the latest answer leads to. */
  readonly take: (one: FollowedFile, id: string) => void
  /** Goes on with a suggestion in another file, once that is on the screen. */
  readonly arrive: (one: FollowedFile) => void
}

/** `onArrived`: people are at a place that was suggested, in another file. */
export const make = (editor: EditorAccess, ends: Ends, onArrived: () => void): Steps => {
  /** A place in another file, or an edit of it: for when it is on the screen. */
  let carried: Extract<Suggestion, { readonly kind: "edit" | "jump" }> | undefined
  const many = makeStore<Many | undefined>(undefined)

  return {
    many,
    take: ({ file, path, suggestions }, id) => {
      const suggestion = suggestions.find((each) => each.id === id)
      if (suggestion === undefined) return
      clear(file)
      switch (suggestion.kind) {
        case "jump": {
          ends.end(id, "accepted")
          const line = suggestion.position.line + 1
          if (suggestion.path !== path) {
            carried = suggestion
            return editor.show(suggestion.path, line)
          }
          const buffer = file.buffer()
          if (buffer?.view === undefined) return
          goTo(buffer.view, undefined, offsetOf(buffer.state.doc, buffer.lineEnd, suggestion.position))
          announce(`Line ${line}.`)
          return
        }
        case "edit":
          carried = suggestion
          return editor.show(suggestion.path, (suggestion.edits[0]?.range.start.line ?? 0) + 1)
        case "rename":
        case "searchAndReplace":
          return many.set(suggestion)
      }
    },
    arrive: ({ file, path }) => {
      const buffer = file.buffer()
      const suggestion = carried
      if (suggestion?.path !== path || buffer?.view === undefined || !isFree(file.state.get())) return
      carried = undefined
      const { lineEnd, state, view } = buffer
      if (suggestion.kind === "jump") {
        goTo(view, undefined, offsetOf(state.doc, lineEnd, suggestion.position))
        return onArrived()
      }
      const edit = editIn(state.doc, lineEnd, suggestion)
      if (edit === undefined) return
      put(file, { all: [edit], at: 0 })
      goTo(view, undefined, edit.changes[0]?.from)
      say(file)
    }
  }
}
