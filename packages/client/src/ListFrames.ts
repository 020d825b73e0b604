/** Applies the server's frames about the thread list to a client's list. Pure. */
import type { ThreadsFrame } from "@signalbox/contracts/Rpc"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"

export const withFrame = (rows: ReadonlyArray<ThreadSummary>, frame: ThreadsFrame): ReadonlyArray<ThreadSummary> => {
  if (frame.type === "snapshot") return frame.threads
  const byId = new Map(rows.map((row) => [row.threadId, row]))
  for (const row of frame.threads) byId.set(row.threadId, row)
  for (const threadId of frame.removed ?? []) byId.delete(threadId)
  return [...byId.values()]
}
