/** Applies the server's frames about a list with a row for each thread to a client's list. Pure. */
import type { ThreadId } from "@signalbox/contracts/Ids"

interface Row {
  readonly threadId: ThreadId
}

type Frame<R> =
  | { readonly type: "snapshot"; readonly threads: ReadonlyArray<R> }
  | {
      readonly type: "changed"
      readonly threads: ReadonlyArray<R>
      readonly removed?: ReadonlyArray<ThreadId> | undefined
    }

export const withFrame = <R extends Row>(rows: ReadonlyArray<R>, frame: Frame<R>): ReadonlyArray<R> => {
  if (frame.type === "snapshot") return frame.threads
  const byId = new Map(rows.map((row) => [row.threadId, row]))
  for (const row of frame.threads) byId.set(row.threadId, row)
  for (const threadId of frame.removed ?? []) byId.delete(threadId)
  return [...byId.values()]
}
