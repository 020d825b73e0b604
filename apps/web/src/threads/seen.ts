/** Up to which event each thread was looked at in this browser: what tells unread threads. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { makeStore, type Store } from "../connection/Store.ts"
import { isLive } from "./rows.ts"

const key = "signalbox.seen"

const read = (): ReadonlyMap<string, number> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}")
    if (typeof stored !== "object" || stored === null) return new Map()
    return new Map(Object.entries(stored).filter((entry): entry is [string, number] => typeof entry[1] === "number"))
  } catch {
    return new Map()
  }
}

export const seen: Store<ReadonlyMap<string, number>> = makeStore(read())

const save = (next: ReadonlyMap<string, number>): void => {
  seen.set(next)
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(next)))
  } catch {
    // A browser that keeps nothing: what is unread is known until the page is closed.
  }
}

/** Somebody looked at the thread as it was at `sequence`. */
export const markSeen = (threadId: ThreadId, sequence: number): void => {
  if ((seen.get().get(threadId) ?? -1) < sequence) save(new Map(seen.get()).set(threadId, sequence))
}

/** Threads that this browser meets for the first time count as read; ones that are gone are forgotten. */
export const meetThreads = (threads: ReadonlyArray<ThreadSummary>): void => {
  const known = seen.get()
  if (threads.length === known.size && threads.every(({ threadId }) => known.has(threadId))) return
  save(new Map(threads.map(({ sequence, threadId }) => [threadId, known.get(threadId) ?? sequence])))
}

export const isUnread = (thread: ThreadSummary, known: ReadonlyMap<string, number>): boolean =>
  !isLive(thread) && thread.status !== undefined && thread.sequence > (known.get(thread.threadId) ?? thread.sequence)
