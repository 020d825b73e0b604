/** Whether anybody suggests edits in a thread, and who. What draws suggestions is loaded when somebody does. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SuggestionsFrame } from "@signalbox/contracts/Suggestions"
import { makeStore, type Store } from "../../browser/Store.ts"
import { problemOf } from "../../connection/commands.ts"
import { followSuggestions } from "../../connection/suggestions.ts"
import type { EditorAccess } from "../reporting/access.ts"
import type { Desk } from "./Desk.ts"
import { initial, type Status, wantsSignIn } from "./Status.ts"

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

const off = (why: string, problem?: Problem, turnedOff?: string): Status["source"] => ({
  type: "off",
  why,
  problem,
  turnedOff
})

/** Suggests edits in the open files of a thread, until the signal ends it. */
export const watch = (threadId: ThreadId, editor: EditorAccess, signal: AbortSignal): void => {
  const { desk, status } = watchedOf(threadId)
  const show = (change: Partial<Status>) => status.set({ ...status.get(), ...change })
  const end = () => {
    desk.get()?.stop()
    desk.set(undefined)
  }
  let loading: Promise<void> | undefined
  /** Who suggests, while what asks them is loaded. It is said when keys are heard, and not before. */
  let offered: Extract<Status["source"], { readonly type: "on" }> | undefined
  const load = () => {
    loading ??= import("./Desk.ts").then(
      ({ make }) => {
        if (signal.aborted || offered === undefined) return
        show({ source: offered })
        desk.set(make(threadId, editor, status))
      },
      () => {
        loading = undefined
        show({ source: off("Suggestions can’t be loaded. Reload the page.") })
      }
    )
  }
  const take = (frame: SuggestionsFrame) => {
    switch (frame.type) {
      case "off":
        loading = undefined
        offered = undefined
        end()
        return show({ ...initial, source: off(frame.why, frame.problem, frame.turnedOff) })
      case "on": {
        const { agent, desk: id, recording } = frame
        const before = status.get().source
        const isSame = before.type === "on" && before.desk === id
        const source = { type: "on", agent, desk: id, recording } as const
        if (desk.get() === undefined) {
          if (!isSame) show({ ...initial, source: before })
          offered = source
          return load()
        }
        show({ ...(!isSame && initial), source })
        if (!isSame) desk.get()?.again()
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
      case "settings":
        return show({ settings: frame.settings, chosen: frame.chosen })
      case "today":
        return show({ today: frame.figures })
      case "signedIn":
        if (wantsSignIn(status.get())) desk.get()?.retry()
    }
  }
  followSuggestions(
    threadId,
    (frames) => frames.forEach(take),
    (refused) => {
      const problem = problemOf(refused)
      end()
      show({ ...initial, source: off(problem.title, problem) })
    },
    signal
  )
  signal.addEventListener("abort", () => {
    end()
    status.set(initial)
  })
}
