/** One thread as it happens: followed while somebody looks at it, remembered for a while after. */
import * as WatchedThread from "@signalbox/client/WatchedThread"
import type { Watched } from "@signalbox/client/WatchedThread"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useCallback, useSyncExternalStore } from "react"
import { following } from "./calls.ts"
import { reportDefect, serverNow } from "./link.ts"
import { makeStore, type Store } from "../browser/Store.ts"

interface Watch {
  readonly store: Store<Watched>
  watchers: number
  fiber: Fiber.Fiber<void> | undefined
}

/** Threads that were looked at last; reopened ones show what is known at once and catch up from there. */
const remembered = 12
/** A thread of which more entries were read is forgotten when it is left: opened again it begins with its last turns. */
const rememberedEntries = 2500
const watches = new Map<ThreadId, Watch>()

/** `shorter`: what is known is given up for the thread's latest window. */
const follow = (threadId: ThreadId, store: Store<Watched>, shorter = false) =>
  Effect.catchCause(WatchedThread.follow(threadId, store, { following, now: serverNow, shorter }), reportDefect)

const watchOf = (threadId: ThreadId): Watch => {
  const known = watches.get(threadId)
  if (known) return known
  const watch: Watch = { store: makeStore<Watched>({ state: "loading" }), watchers: 0, fiber: undefined }
  watches.set(threadId, watch)
  for (const [id, { watchers }] of watches) {
    if (watches.size <= remembered) break
    if (watchers === 0 && id !== threadId) watches.delete(id)
  }
  return watch
}

const subscribe = (threadId: ThreadId, onChange: () => void) => {
  const watch = watchOf(threadId)
  const unsubscribe = watch.store.subscribe(onChange)
  watch.watchers += 1
  watch.fiber ??= Effect.runFork(follow(threadId, watch.store))
  return () => {
    unsubscribe()
    watch.watchers -= 1
    if (watch.watchers > 0 || watch.fiber === undefined) return
    Effect.runFork(Fiber.interrupt(watch.fiber))
    watch.fiber = undefined
    const here = WatchedThread.hereOf(watch.store.get())
    if (here === undefined || here.view.items.length > rememberedEntries) watches.delete(threadId)
  }
}

/** Opens a thread anew that could not be read before. */
export const readAgain = (threadId: ThreadId): void => {
  const watch = watches.get(threadId)
  if (watch === undefined || watch.watchers === 0) return
  const before = watch.fiber
  watch.store.set({ state: "loading" })
  watch.fiber = Effect.runFork(
    Effect.andThen(before ? Fiber.interrupt(before) : Effect.void, follow(threadId, watch.store))
  )
}

/** Entries, and characters of what agents said in them, that a page holds of a thread whose end it follows. */
const mostEntries = 4000
const mostText = 8 * 1024 * 1024

/** Gives up the beginning of a window that has grown too large: it is read again when somebody goes there. */
export const shorten = ({ items, threadId }: ThreadView): void => {
  let text = 0
  for (const item of items) if (item.type === "message" || item.type === "thought") text += item.text.length
  const watch = watches.get(threadId)
  if (watch?.fiber === undefined || (items.length <= mostEntries && text <= mostText)) return
  const before = watch.fiber
  watch.fiber = Effect.runFork(Effect.andThen(Fiber.interrupt(before), follow(threadId, watch.store, true)))
}

/** Follows a thread outside of what is drawn, until the returned function is called. */
export const followThread = (threadId: ThreadId, onView: (view: ThreadView) => void): (() => void) => {
  const show = () => {
    const here = WatchedThread.hereOf(watchOf(threadId).store.get())
    if (here !== undefined) onView(here.view)
  }
  const stop = subscribe(threadId, show)
  show()
  return stop
}

export const useThread = (threadId: ThreadId): Watched =>
  useSyncExternalStore(
    useCallback((onChange) => subscribe(threadId, onChange), [threadId]),
    useCallback(() => watchOf(threadId).store.get(), [threadId])
  )
