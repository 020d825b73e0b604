/** The list of threads as one client sees it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { Connection } from "./Connection.ts"

export interface ThreadRows {
  readonly row: (threadId: ThreadId) => ThreadSummary | undefined
}

/** Follows the thread list for as long as the scope lives. Returns when the list has arrived. */
export const follow = Effect.fnUntraced(function* (client: Connection) {
  const rows = new Map<ThreadId, ThreadSummary>()
  const isThere = yield* Deferred.make<void>()
  yield* client.watchThreads().pipe(
    Stream.runForEach((frame) =>
      Effect.sync(() => {
        if (frame.type === "snapshot") rows.clear()
        for (const row of frame.threads) rows.set(row.threadId, row)
        Deferred.doneUnsafe(isThere, Exit.void)
        if (frame.type === "changed") for (const threadId of frame.removed ?? []) rows.delete(threadId)
      })
    ),
    Effect.ignoreCause,
    Effect.forkScoped
  )
  yield* Deferred.await(isThere)
  const list: ThreadRows = { row: (threadId) => rows.get(threadId) }
  return list
})
