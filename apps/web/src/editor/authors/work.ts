/** What the agents of threads do with files, as far as this page follows it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { makeStore, type Store } from "../../browser/Store.ts"
import { link } from "../../connection/link.ts"
import { followThread } from "../../connection/thread.ts"
import { type AgentWork, isSameWork, noWork, workOf } from "./AgentWork.ts"

const works = new Map<ThreadId, Store<AgentWork>>()

/** The latest known work in a thread. It changes while `followWork` runs. */
export const workIn = (threadId: ThreadId): Store<AgentWork> => {
  const known = works.get(threadId)
  if (known !== undefined) return known
  const store = makeStore(noWork)
  works.set(threadId, store)
  return store
}

/** Keeps `workIn` up to date until the returned function is called. */
export const followWork = (threadId: ThreadId): (() => void) => {
  const store = workIn(threadId)
  let seen: ThreadView | undefined
  const isLive = () => link.get().state === "open"
  const stopThread = followThread(threadId, (view) => {
    if (seen === undefined || !isSameWork(seen, view)) store.set(workOf(view, isLive()))
    seen = view
  })
  const stopLink = link.subscribe(() => {
    if (store.get().isLive !== isLive()) store.set({ ...store.get(), isLive: isLive() })
  })
  return () => {
    stopThread()
    stopLink()
  }
}
