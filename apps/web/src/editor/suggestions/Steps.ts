/** Suggestions that are more than an edit of the shown file: places to go to, edits of other files, lists of places. */
import type { SuggestedPlace, Suggestion } from "@signalbox/contracts/Suggestions"
import { announce } from "../../browser/announcer.ts"
import { makeStore, type Store } from "../../browser/Store.ts"
import { type EditorAccess, isFree } from "../reporting/access.ts"
import { goTo } from "./actions.ts"
import { answeredIn } from "./Asking.ts"
import type { Ends } from "./Ends.ts"
import type { FollowedFile } from "../reporting/FollowedFiles.ts"
import { editIn } from "./offers.ts"
import { offsetOf } from "../reporting/positions.ts"
import { applicable } from "./places.ts"
import { clear, offerIn, put, say } from "./showing.ts"
import type { Note } from "./Status.ts"

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

/** `note`: shows what went wrong. `onArrived`: people are at a place that was suggested, in another file. */
export const make = (editor: EditorAccess, ends: Ends, note: (said: Note) => void, onArrived: () => void): Steps => {
  /** A place in another file, or an edit of it: for when it is on the screen. */
  let carried: Extract<Suggestion, { readonly kind: "edit" | "jump" }> | undefined
  /** What of it people saw before they went there. */
  let seen: ReadonlyArray<SuggestedPlace> = []
  const many = makeStore<Many | undefined>(undefined)

  /** Ends an edit of another file that can't be shown there. */
  const leaveOut = ({ id, kind, path }: NonNullable<typeof carried>, why: string) => {
    carried = undefined
    // A place was gone to already.
    if (kind === "jump") return
    ends.end(id, "ignored")
    const words = "Left out the suggested edit of this file"
    note({ words, why: [`${path}: ${why}`, "Nothing was changed."], lasts: true })
    announce(`${words}. ${why} Nothing was changed.`)
  }

  return {
    many,
    take: (one, id) => {
      const { file, path } = one
      const suggestion = answeredIn(one, id)
      if (suggestion === undefined) return
      const offered = offerIn(file)?.all.find((each) => each.id === id)
      seen = (offered?.type === "step" && offered.seen) || []
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
      if (suggestion?.path !== path) return
      const now = file.state.get()
      if (now.text === "none" || now.readOnly !== undefined) return leaveOut(suggestion, "It can’t be changed here.")
      if (buffer?.view === undefined || !isFree(now)) return
      carried = undefined
      const { lineEnd, state, view } = buffer
      if (suggestion.kind === "jump") {
        goTo(view, undefined, offsetOf(state.doc, lineEnd, suggestion.position))
        return onArrived()
      }
      const edit = editIn(state.doc, lineEnd, suggestion)
      if (edit === undefined || applicable(state.doc, lineEnd, seen).leftOut > 0)
        return leaveOut(suggestion, "It has changed since.")
      put(file, { all: [edit], at: 0 })
      goTo(view, undefined, edit.changes[0]?.from)
      say(file)
    }
  }
}
