/** What language servers know in a thread whose editor is open. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { makeStore, type Store } from "../../browser/Store.ts"
import { followLanguage } from "../../connection/language.ts"
import type { EditorAccess } from "../reporting/access.ts"
import * as Desk from "./Desk.ts"
import * as Suggestions from "../suggestions/watching.ts"
import { isNews, type Knowledge, nothing, step } from "./Knowledge.ts"

/** The language servers of a thread, as a page has them. */
export interface Watched {
  readonly known: Store<Knowledge>
  readonly desk: Store<Desk.Desk | undefined>
}

const threads = new Map<ThreadId, Watched>()

export const watchedOf = (threadId: ThreadId): Watched => {
  const before = threads.get(threadId)
  if (before !== undefined) return before
  const watched = { known: makeStore<Knowledge>(nothing), desk: makeStore<Desk.Desk | undefined>(undefined) }
  threads.set(threadId, watched)
  return watched
}

/** Asks language servers about the open files of a thread, until the signal ends it. */
export const watch = (threadId: ThreadId, editor: EditorAccess, signal: AbortSignal): void => {
  const { desk, known } = watchedOf(threadId)
  const mine = Desk.make(threadId, editor, known)
  desk.set(mine)
  followLanguage(
    threadId,
    (frames) => {
      for (const frame of frames) {
        const before = known.get()
        known.set(step(before, frame))
        if (isNews(before, frame)) Suggestions.watchedOf(threadId).desk.get()?.diagnosed(frame.path)
        if (frame.type === "on") mine.again()
      }
      mine.look()
    },
    // The page says elsewhere what became of the thread.
    () => known.set(nothing),
    signal
  )
  signal.addEventListener("abort", () => {
    mine.stop()
    if (desk.get() === mine) desk.set(undefined)
    known.set(nothing)
  })
}
