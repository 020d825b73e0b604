/** The list of threads, as the server keeps it. */
import type { ThreadsFrame } from "@signalbox/contracts/Rpc"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { following } from "./following.ts"
import { makeStore, type Store } from "./Store.ts"

/** `undefined` until the server has told. */
export const threads: Store<ReadonlyArray<ThreadSummary> | undefined> = makeStore<
  ReadonlyArray<ThreadSummary> | undefined
>(undefined)

/** Pure. */
export const withFrame = (rows: ReadonlyArray<ThreadSummary>, frame: ThreadsFrame): ReadonlyArray<ThreadSummary> => {
  if (frame.type === "snapshot") return frame.threads
  const byId = new Map(rows.map((row) => [row.threadId, row]))
  for (const row of frame.threads) byId.set(row.threadId, row)
  for (const threadId of frame.removed ?? []) byId.delete(threadId)
  return [...byId.values()]
}

export const followThreads = following(
  (client) => client.watchThreads(),
  (frames) => threads.set(frames.reduce(withFrame, threads.get() ?? []))
)
