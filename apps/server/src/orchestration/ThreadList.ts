/** The rows of the thread list, and their watchers. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as RowFeed from "./RowFeed.ts"

export interface ThreadList {
  readonly has: (threadId: ThreadId) => boolean
  /** Changes a row. Synchronous, so that a commit and the visible row never differ. */
  readonly changed: (summary: ThreadSummary) => void
  /** Says again whether a row has a draft. */
  readonly marked: (threadId: ThreadId) => void
  readonly removed: (threadId: ThreadId) => void
  readonly watch: Stream.Stream<ThreadsFrame>
}

/** `isDrafted`: whether a thread has a draft that was not sent yet. */
export const make = (
  initial: ReadonlyArray<ThreadSummary>,
  isDrafted: (threadId: ThreadId) => boolean
): Effect.Effect<ThreadList, never, Scope.Scope> => {
  const withMark = (summary: ThreadSummary): ThreadSummary => {
    const { draft: _, ...unmarked } = summary
    return isDrafted(summary.threadId) ? { ...unmarked, draft: true } : unmarked
  }
  return Effect.map(RowFeed.make(initial.map(withMark), isUrgent), ({ changed, get, removed, watch }) => ({
    has: (threadId) => get(threadId) !== undefined,
    changed: (summary) => changed(withMark(summary)),
    marked: (threadId) => {
      const row = get(threadId)
      if (row !== undefined) changed(withMark(row))
    },
    removed,
    watch: Stream.map(watch, frameOf)
  }))
}

const frameOf = ({ removed, rows, type }: RowFeed.RowFrame<ThreadSummary>): ThreadsFrame =>
  type === "snapshot" ? { type, threads: rows } : { type, threads: rows, ...(removed.length > 0 && { removed }) }

const isUrgent = (before: ThreadSummary | undefined, after: ThreadSummary): boolean =>
  before === undefined ||
  before.status !== after.status ||
  before.waitingFor !== after.waitingFor ||
  before.held !== after.held ||
  before.title !== after.title ||
  before.draft !== after.draft ||
  before.turnStartedAt !== after.turnStartedAt
