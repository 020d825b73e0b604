/** The rows of the thread list, and their watchers. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadsFrame } from "@signalbox/contracts/Rpc"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

export interface ThreadList {
  readonly has: (threadId: ThreadId) => boolean
  /** Changes a row. Synchronous, so that a commit and the visible row never differ. */
  readonly changed: (summary: ThreadSummary) => void
  readonly removed: (threadId: ThreadId) => void
  readonly watch: Stream.Stream<ThreadsFrame>
}

/** Milliseconds for which changes without urgency are collected: at most ten frames a second while agents stream. */
const gather = 100

/** One watcher, with the rows that it has not received. Each row is held once, however slow the watcher is. */
interface Watcher {
  readonly pending: Set<ThreadId>
  readonly awake: Latch.Latch
  begun: boolean
}

export const make = Effect.fnUntraced(function* (
  initial: ReadonlyArray<ThreadSummary>
): Effect.fn.Return<ThreadList, never, Scope.Scope> {
  const rows = new Map(initial.map((summary) => [summary.threadId, summary]))
  const watchers = new Set<Watcher>()
  const gathered = new Set<ThreadId>()
  const anyGathered = Latch.makeUnsafe(false)

  const tell = (threadIds: Iterable<ThreadId>): void => {
    const told = [...threadIds]
    for (const watcher of watchers) {
      for (const threadId of told) watcher.pending.add(threadId)
      watcher.awake.openUnsafe()
    }
  }

  const changed = (summary: ThreadSummary): void => {
    const before = rows.get(summary.threadId)
    rows.set(summary.threadId, summary)
    if (isUrgent(before, summary)) {
      gathered.delete(summary.threadId)
      tell([summary.threadId])
    } else {
      gathered.add(summary.threadId)
      anyGathered.openUnsafe()
    }
  }

  const removed = (threadId: ThreadId): void => {
    if (!rows.delete(threadId)) return
    gathered.delete(threadId)
    tell([threadId])
  }

  yield* anyGathered.await.pipe(
    Effect.andThen(Effect.sleep(gather)),
    Effect.andThen(
      Effect.sync(() => {
        anyGathered.closeUnsafe()
        tell(gathered)
        gathered.clear()
      })
    ),
    Effect.forever,
    Effect.forkScoped
  )

  const next = (watcher: Watcher): Effect.Effect<ThreadsFrame> =>
    Effect.map(watcher.awake.await, () => {
      watcher.awake.closeUnsafe()
      if (!watcher.begun) {
        watcher.begun = true
        watcher.pending.clear()
        return { type: "snapshot", threads: [...rows.values()] }
      }
      const threads: Array<ThreadSummary> = []
      const removed: Array<ThreadId> = []
      for (const threadId of watcher.pending) {
        const row = rows.get(threadId)
        if (row) threads.push(row)
        else removed.push(threadId)
      }
      watcher.pending.clear()
      return { type: "changed", threads, ...(removed.length > 0 && { removed }) }
    })

  const watch = Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const watcher: Watcher = { pending: new Set(), awake: Latch.makeUnsafe(true), begun: false }
          watchers.add(watcher)
          return watcher
        }),
        (watcher) => Effect.sync(() => watchers.delete(watcher))
      ),
      (watcher) => Stream.fromEffectRepeat(next(watcher))
    )
  )

  return { has: (threadId) => rows.has(threadId), changed, removed, watch }
})

const isUrgent = (before: ThreadSummary | undefined, after: ThreadSummary): boolean =>
  before === undefined ||
  before.status !== after.status ||
  before.waitingFor !== after.waitingFor ||
  before.held !== after.held ||
  before.title !== after.title ||
  before.turnStartedAt !== after.turnStartedAt
