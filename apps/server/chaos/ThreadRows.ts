/** The list of threads as one client sees it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Connection } from "./Connection.ts"

export interface ThreadRows {
  readonly row: (threadId: ThreadId) => ThreadSummary | undefined
}

/** Followed for as long as the scope lives. */
export const follow = Effect.fnUntraced(function* (client: Connection) {
  const rows = new Map<ThreadId, ThreadSummary>()
  yield* client.watchThreads().pipe(
    Stream.runForEach((frame) =>
      Effect.sync(() => {
        if (frame.type === "snapshot") rows.clear()
        for (const row of frame.threads) rows.set(row.threadId, row)
        if (frame.type === "changed") for (const threadId of frame.removed ?? []) rows.delete(threadId)
      })
    ),
    Effect.ignoreCause,
    Effect.forkScoped
  )
  const list: ThreadRows = { row: (threadId) => rows.get(threadId) }
  return list
})
