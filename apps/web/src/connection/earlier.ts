/** The pages of a thread that stand before its window, read one after the other. */
import type { Cursor, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import { persistently } from "./calls.ts"
import { problemOf } from "./commands.ts"
import { makeStore, type Store, useStore } from "./Store.ts"
import { changeThread } from "./thread.ts"
import * as Effect from "effect/Effect"

export type Paging =
  | { readonly state: "idle" }
  | { readonly state: "reading" }
  | { readonly state: "failed"; readonly problem: Problem }

const idle: Paging = { state: "idle" }
const pagings = new Map<ThreadId, Store<Paging>>()

const pagingOf = (threadId: ThreadId): Store<Paging> => {
  const known = pagings.get(threadId)
  if (known) return known
  const paging = makeStore<Paging>(idle)
  pagings.set(threadId, paging)
  return paging
}

/** Puts the page before `before` in front of the thread. One at a time. */
export const readEarlier = (threadId: ThreadId, before: Cursor): void => {
  const paging = pagingOf(threadId)
  if (paging.get().state === "reading") return
  paging.set({ state: "reading" })
  Effect.runPromise(persistently((client) => client.readEarlier({ threadId, before }))).then(
    (page) => {
      paging.set(idle)
      // A snapshot that came meanwhile begins somewhere else.
      changeThread(threadId, (view) => (view.earlier === before ? ThreadProjection.withEarlier(view, page) : view))
    },
    (error: unknown) => paging.set({ state: "failed", problem: problemOf(error) })
  )
}

export const usePaging = (threadId: ThreadId): Paging => useStore(pagingOf(threadId))
