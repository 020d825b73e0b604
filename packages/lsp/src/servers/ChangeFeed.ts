/** Shows watchers what has changed. What changes often waits once for each watcher, however slow that one is. */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"

export interface ChangeFeed<K, A> {
  readonly offer: (key: K, value: A) => void
  /** The latest value of each key that changes from now on. */
  readonly changes: Stream.Stream<A>
}

interface Watcher<K, A> {
  readonly waiting: Map<K, A>
  readonly filled: Latch.Latch
}

export const make = <K, A>(): ChangeFeed<K, A> => {
  const watchers = new Set<Watcher<K, A>>()
  const watch = Effect.acquireRelease(
    Effect.sync((): Watcher<K, A> => {
      const watcher = { waiting: new Map<K, A>(), filled: Latch.makeUnsafe(false) }
      watchers.add(watcher)
      return watcher
    }),
    (watcher) => Effect.sync(() => watchers.delete(watcher))
  )
  const take = ({ filled, waiting }: Watcher<K, A>) =>
    Effect.map(filled.await, () => {
      const values = [...waiting.values()]
      waiting.clear()
      filled.closeUnsafe()
      return values
    })
  return {
    offer: (key, value) => {
      for (const { filled, waiting } of watchers) {
        waiting.set(key, value)
        filled.openUnsafe()
      }
    },
    changes: Stream.unwrap(
      Effect.map(watch, (watcher) => Stream.flatMap(Stream.fromEffectRepeat(take(watcher)), Stream.fromIterable))
    )
  }
}
