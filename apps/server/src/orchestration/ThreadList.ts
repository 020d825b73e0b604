/** The rows of the thread list, and their watchers. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadsFrame } from "@signalbox/contracts/Rpc"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as RowFeed from "./RowFeed.ts"

export interface ThreadList {
  readonly has: (threadId: ThreadId) => boolean
  /** Changes a row. Synchronous, so that a commit and the visible row never differ. */
  readonly changed: (summary: ThreadSummary) => void
  readonly removed: (threadId: ThreadId) => void
  readonly watch: Stream.Stream<ThreadsFrame>
}

export const make = (initial: ReadonlyArray<ThreadSummary>): Effect.Effect<ThreadList, never, Scope.Scope> =>
  Effect.map(RowFeed.make(initial, isUrgent), ({ changed, get, removed, watch }) => ({
    has: (threadId) => get(threadId) !== undefined,
    changed,
    removed,
    watch: Stream.map(watch, frameOf)
  }))

const frameOf = ({ removed, rows, type }: RowFeed.RowFrame<ThreadSummary>): ThreadsFrame =>
  type === "snapshot" ? { type, threads: rows } : { type, threads: rows, ...(removed.length > 0 && { removed }) }

const isUrgent = (before: ThreadSummary | undefined, after: ThreadSummary): boolean =>
  before === undefined ||
  before.status !== after.status ||
  before.waitingFor !== after.waitingFor ||
  before.held !== after.held ||
  before.title !== after.title ||
  before.turnStartedAt !== after.turnStartedAt
