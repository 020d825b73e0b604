/**
 * The pages of a thread that were read from before its window: a few that follow each other, so that memory stays bounded however far
 * people go. Where they reach the window, both are one transcript; where they don't, they are shown without it.
 */
import type { Cursor, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import type { Client } from "@signalbox/client/Client"
import { persistently } from "./calls.ts"
import { problemOf } from "./commands.ts"
import type { Direction, Pages, Placed } from "./shownPages.ts"
import { makeStore, type Store, useStore } from "../browser/Store.ts"

/** Pages that are kept. */
const mostPages = 3

const none: Pages = { placed: [], jumps: 0 }
const stores = new Map<ThreadId, Store<Pages>>()

const storeOf = (threadId: ThreadId): Store<Pages> => {
  const known = stores.get(threadId)
  if (known) return known
  const store = makeStore<Pages>(none)
  stores.set(threadId, store)
  return store
}

export const usePages = (threadId: ThreadId): Pages => useStore(storeOf(threadId))

/** Lets go of what was read: people are at the end again. */
export const leavePages = (threadId: ThreadId): void => {
  const store = storeOf(threadId)
  const { jumps, placed, reading } = store.get()
  if (placed.length > 0 || reading !== undefined) store.set({ placed: [], jumps })
}

/** Reads the next page in a direction. One at a time. */
export const readPage = (direction: Direction, { earlier, threadId }: ThreadView): void => {
  const store = storeOf(threadId)
  const before = store.get()
  if (before.reading !== undefined || earlier === undefined) return
  const asked: Pages = { placed: before.placed, jumps: before.jumps, reading: direction }
  store.set(asked)
  Effect.runPromise(persistently((client) => next(client, direction, threadId, before.placed, earlier))).then(
    (placed) => {
      // Whoever left meanwhile is not brought back.
      if (store.get() !== asked) return
      store.set({ placed, jumps: direction === "beginning" ? asked.jumps + 1 : asked.jumps })
    },
    (error: unknown) => {
      if (store.get() !== asked) return
      store.set({ placed: asked.placed, jumps: asked.jumps, failed: { direction, problem: problemOf(error) } })
    }
  )
}

/** The pages after the next one in this direction was read; `window` is where the thread's window begins. */
const next = (
  client: Client,
  direction: Direction,
  threadId: ThreadId,
  placed: ReadonlyArray<Placed>,
  window: Cursor
) => {
  const first = placed[0]
  const last = placed.at(-1)
  if (direction === "earlier") {
    const before = first === undefined ? window : first.page.earlier
    if (before === undefined) return Effect.succeed(placed)
    return Effect.map(client.readEarlier({ threadId, before }), (page) =>
      [{ page, end: before }, ...placed].slice(0, mostPages)
    )
  }
  const from = direction === "later" ? last?.end : undefined
  return Effect.map(client.readLater({ threadId, until: window, ...(from !== undefined && { from }) }), (page) => {
    const read: Placed = { page, end: page.later ?? window }
    return direction === "later" ? [...placed, read].slice(-mostPages) : [read]
  })
}
