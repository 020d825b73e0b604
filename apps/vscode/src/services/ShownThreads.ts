/** The threads that a window has shown, and what is known of each: from the list, or from the view until the list has it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { servedOf, type Workspace } from "./ServedThreads.ts"

export interface ShownThread extends Pick<ThreadSummary, "threadId" | "cwd" | "status"> {
  /** The name of its agent, for people. */
  readonly agent: string
}

export interface ShownThreads {
  /** A view shows the thread now. `at`: what the view knows of it. */
  readonly show: (threadId: ThreadId, at?: { readonly cwd: string; readonly agent: string }) => void
  /** Takes the list of threads as it is now. What it does not have any more is gone. */
  readonly take: (rows: ReadonlyArray<ThreadSummary>) => void
  /** The threads that a window with these folders serves. */
  readonly served: (workspace: Workspace) => ReadonlyMap<ThreadId, ShownThread>
}

export const make = (): ShownThreads => {
  /** The thread that was shown last is the last. */
  const shown = new Set<ThreadId>()
  /** Threads that the list did not have yet. */
  const told = new Map<ThreadId, ShownThread>()
  let listed: ReadonlyArray<ShownThread> = []
  return {
    show: (threadId, at) => {
      shown.delete(threadId)
      shown.add(threadId)
      if (at !== undefined && listed.every((row) => row.threadId !== threadId)) told.set(threadId, { threadId, ...at })
    },
    take: (rows) => {
      listed = rows.map(({ cwd, provider, status, threadId }) => ({
        threadId,
        cwd,
        agent: provider.name,
        ...(status !== undefined && { status })
      }))
      for (const { threadId } of rows) told.delete(threadId)
    },
    served: (workspace) =>
      new Map(servedOf([...shown], [...listed, ...told.values()], workspace).map((row) => [row.threadId, row]))
  }
}
