/** Rows by thread, and their watchers: first all rows, then those that change. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

export interface Row {
  readonly threadId: ThreadId
}

export interface RowFrame<R> {
  readonly type: "snapshot" | "changed"
  readonly rows: ReadonlyArray<R>
  readonly removed: ReadonlyArray<ThreadId>
}

export interface RowFeed<R> {
  readonly get: (threadId: ThreadId) => R | undefined
  /** Changes a row. Synchronous, so that a commit and the visible row never differ. */
  readonly changed: (row: R) => void
  readonly removed: (threadId: ThreadId) => void
  readonly watch: Stream.Stream<RowFrame<R>>
}

/** Milliseconds for which changes without urgency are collected: at most ten frames a second while agents stream. */
const gather = 100

/** One watcher, with the rows that it has not received. Each row is held once, however slow the watcher is. */
interface Watcher {
  readonly pending: Set<ThreadId>
  readonly awake: Latch.Latch
  begun: boolean
}

/**
 * Makes a feed.
 *
 * @param isUrgent whether a change is seen at once
 */
export const make = Effect.fnUntraced(function* <R extends Row>(
  initial: ReadonlyArray<R>,
  isUrgent: (before: R | undefined, after: R) => boolean
): Effect.fn.Return<RowFeed<R>, never, Scope.Scope> {
  const rows = new Map(initial.map((row) => [row.threadId, row]))
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

  const changed = (row: R): void => {
    const { threadId } = row
    const before = rows.get(threadId)
    rows.set(threadId, row)
    if (isUrgent(before, row)) {
      gathered.delete(threadId)
      tell([threadId])
    } else {
      gathered.add(threadId)
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

  const next = (watcher: Watcher): Effect.Effect<RowFrame<R>> =>
    Effect.map(watcher.awake.await, () => {
      watcher.awake.closeUnsafe()
      if (!watcher.begun) {
        watcher.begun = true
        watcher.pending.clear()
        return { type: "snapshot", rows: [...rows.values()], removed: [] }
      }
      const changed: Array<R> = []
      const removed: Array<ThreadId> = []
      for (const threadId of watcher.pending) {
        const row = rows.get(threadId)
        if (row) changed.push(row)
        else removed.push(threadId)
      }
      watcher.pending.clear()
      return { type: "changed", rows: changed, removed }
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

  return { get: (threadId) => rows.get(threadId), changed, removed, watch }
})
