/**
 * The time up to which this browser has seen each thread, to find unread ones. It stores times and not places in the
 * log, since places count only for one run of the server. A restart's notes in a quiet thread do not change its time
 * (see `News`).
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
    // This browser stores nothing, so the seen times last until the page is closed.
  }
}

/** Marks a thread as seen in its state at `updatedAt`. */
export const markSeen = ({ threadId, updatedAt }: Pick<ThreadSummary, "threadId" | "updatedAt">): void => {
  if ((seen.get().get(threadId) ?? -1) < updatedAt) save(new Map(seen.get()).set(threadId, updatedAt))
}

/** Marks threads that are new to this browser as read, and forgets deleted ones. */
export const meetThreads = (threads: ReadonlyArray<ThreadSummary>): void => {
  const known = seen.get()
  if (threads.length === known.size && threads.every(({ threadId }) => known.has(threadId))) return
  save(new Map(threads.map(({ threadId, updatedAt }) => [threadId, known.get(threadId) ?? updatedAt])))
}

export const isUnread = (thread: ThreadSummary, known: ReadonlyMap<string, number>): boolean =>
  !isLive(thread) && thread.status !== undefined && thread.updatedAt > (known.get(thread.threadId) ?? thread.updatedAt)
