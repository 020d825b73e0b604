/** Whether anybody suggests edits in a thread, and who. What draws suggestions is loaded when somebody does. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { SuggestionsFrame } from "@signalbox/contracts/Suggestions"
import { makeStore, type Store } from "../../browser/Store.ts"
import { problemOf } from "../../connection/commands.ts"
import { followSuggestions } from "../../connection/suggestions.ts"
import type { EditorAccess } from "./access.ts"
import type { Desk } from "./Desk.ts"
import { initial, type Status } from "./Status.ts"

/** The suggestions of a thread whose editor is open. */
export interface Watched {
  readonly status: Store<Status>
  readonly desk: Store<Desk | undefined>
}

const threads = new Map<ThreadId, Watched>()

export const watchedOf = (threadId: ThreadId): Watched => {
  const known = threads.get(threadId)
  if (known !== undefined) return known
  const watched = { status: makeStore<Status>(initial), desk: makeStore<Desk | undefined>(undefined) }
  threads.set(threadId, watched)
  return watched
}

/** Suggests edits in the open files of a thread, until the signal ends it. */
export const watch = (threadId: ThreadId, editor: EditorAccess, signal: AbortSignal): void => {
  const { desk, status } = watchedOf(threadId)
  const show = (change: Partial<Status>) => status.set({ ...status.get(), ...change })
  const end = () => {
    desk.get()?.stop()
    desk.set(undefined)
  }
  let loading: Promise<void> | undefined
  const load = () => {
    loading ??= import("./Desk.ts").then(
      ({ make }) => {
        if (!signal.aborted && status.get().source.type === "on") desk.set(make(threadId, editor, status))
      },
      () => {
        loading = undefined
        show({ source: { type: "off", why: "Suggestions can’t be loaded. Reload the page.", problem: undefined } })
      }
    )
  }
  const take = (frame: SuggestionsFrame) => {
    switch (frame.type) {
      case "off":
        loading = undefined
        end()
        return show({ ...initial, source: { type: "off", why: frame.why, problem: frame.problem } })
      case "on": {
        const { agent, desk: id, recording } = frame
        const before = status.get().source
        const isSame = before.type === "on" && before.desk === id
        show({ ...(!isSame && initial), source: { type: "on", agent, desk: id, recording } })
        if (desk.get() === undefined) load()
        else if (!isSame) desk.get()?.again()
        return
      }
      case "state":
        return show({ activity: frame.state })
      case "paused": {
        const paused = new Set(status.get().paused)
        if (frame.isPaused) paused.add(frame.path)
        else paused.delete(frame.path)
        show({ paused })
        return desk.get()?.look()
      }
      case "rules":
        return show({ rules: frame.problems })
    }
  }
  followSuggestions(
    threadId,
    (frames) => frames.forEach(take),
    (refused) => {
      const problem = problemOf(refused)
      end()
      show({ ...initial, source: { type: "off", why: problem.title, problem } })
    },
    signal
  )
  signal.addEventListener("abort", () => {
    end()
    status.set(initial)
  })
}
