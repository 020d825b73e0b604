/** One thread as it happens: followed while somebody looks at it, remembered for a while after. */
import type { BootId, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadPosition } from "@signalbox/contracts/Rpc"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useCallback, useSyncExternalStore } from "react"
import { following } from "./following.ts"
import { reportDefect } from "./link.ts"
import { makeStore, type Store } from "./Store.ts"
import { withFrames } from "./threadFrames.ts"

/** `missing`: the server has no such thread. */
export type Watched =
  | { readonly state: "loading" }
  | { readonly state: "here"; readonly view: ThreadView; readonly bootId: BootId }
  | { readonly state: "missing" }

interface Watch {
  readonly store: Store<Watched>
  watchers: number
  fiber: Fiber.Fiber<void> | undefined
}

/** Threads that were looked at last; reopened ones show what is known at once and catch up from there. */
const remembered = 12
const watches = new Map<ThreadId, Watch>()

const viewOf = (watched: Watched): ThreadView | undefined => (watched.state === "here" ? watched.view : undefined)

/** How far the thread is known, and from which run of the server. */
const positionOf = (watched: Watched): ThreadPosition | undefined =>
  watched.state === "here" ? { bootId: watched.bootId, sequence: watched.view.sequence } : undefined

const follow = (threadId: ThreadId, store: Store<Watched>) =>
  following(
    (client) => {
      const after = positionOf(store.get())
      return client.watchThread({ threadId, ...(after && { after }) })
    },
    (frames) => {
      const before = store.get()
      const view = withFrames(viewOf(before), frames)
      const bootId = frames.findLast((frame) => frame.type === "snapshot")?.bootId ?? positionOf(before)?.bootId
      if (view && bootId !== undefined) store.set({ state: "here", view, bootId })
    }
  ).pipe(
    Effect.catch(() => Effect.sync(() => store.set({ state: "missing" }))),
    Effect.catchCause(reportDefect)
  )

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
  }
}

export const useThread = (threadId: ThreadId): Watched =>
  useSyncExternalStore(
    useCallback((onChange) => subscribe(threadId, onChange), [threadId]),
    useCallback(() => watchOf(threadId).store.get(), [threadId])
  )
