/**
 * Up to which time each thread was looked at in this browser: what tells unread threads. Times, not places in the log: those count for one
 * run of the server. What a restart notes in a quiet thread does not move its time (see `News`).
 */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { makeStore, type Store } from "../browser/Store.ts"
import { isLive } from "./rows.ts"

const key = "signalbox.read"

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

/** Somebody looked at the thread as it was at `updatedAt`. */
export const markSeen = ({ threadId, updatedAt }: Pick<ThreadSummary, "threadId" | "updatedAt">): void => {
  if ((seen.get().get(threadId) ?? -1) < updatedAt) save(new Map(seen.get()).set(threadId, updatedAt))
}

/** Threads that this browser meets for the first time count as read; ones that are gone are forgotten. */
export const meetThreads = (threads: ReadonlyArray<ThreadSummary>): void => {
  const known = seen.get()
  if (threads.length === known.size && threads.every(({ threadId }) => known.has(threadId))) return
  save(new Map(threads.map(({ threadId, updatedAt }) => [threadId, known.get(threadId) ?? updatedAt])))
}

export const isUnread = (thread: ThreadSummary, known: ReadonlyMap<string, number>): boolean =>
  !isLive(thread) && thread.status !== undefined && thread.updatedAt > (known.get(thread.threadId) ?? thread.updatedAt)
