/** The threads that are in memory: each comes when somebody asks for it, and leaves when nobody has used it for a while. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as RcMap from "effect/RcMap"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import type { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import type { ProviderService } from "../provider/Services/ProviderService.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ThreadStore } from "../storage/ThreadStore.ts"
import * as ThreadActor from "./ThreadActor.ts"

export interface ThreadsInMemory {
  /** The thread, which stays in memory for as long as the scope lasts. */
  readonly actor: (threadId: ThreadId) => Effect.Effect<ThreadActor.ThreadActor, StorageError, Scope.Scope>
  /** The thread, if something in the background keeps it in memory: known without an effect. */
  readonly kept: (threadId: ThreadId) => ThreadActor.ThreadActor | undefined
  /** Runs something in the background, of no thread. */
  readonly fork: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /** Lets go of the thread once nobody uses it. Whoever asks next reads it from the disk. */
  readonly forget: (threadId: ThreadId) => Effect.Effect<void>
  readonly count: Effect.Effect<number>
  /** Ends what is in the background, and begins nothing more there. */
  readonly close: Effect.Effect<void>
}

/** `leftBehind`: threads in which an earlier server did not end its work. */
export const make = Effect.fnUntraced(function* (
  host: Omit<ThreadActor.Host, "fork">,
  leftBehind: ReadonlySet<ThreadId>
): Effect.fn.Return<ThreadsInMemory, never, Scope.Scope | ThreadStore | ProviderService | ProviderCatalog> {
  const background = yield* FiberSet.make()
  const closing = yield* Ref.make(false)
  const unsettled = yield* Ref.make(leftBehind)
  const keeping = yield* Ref.make<ReadonlyMap<ThreadId, Keeping>>(new Map())

  /** Keeps the thread in memory for as long as the scope lasts. */
  const keep = (actor: ThreadActor.ThreadActor) =>
    Effect.acquireRelease(Ref.update(keeping, changed(actor, 1)), () => Ref.update(keeping, changed(actor, -1)))

  const fork: ThreadActor.Host["fork"] = (threadId, effect) =>
    Effect.flatMap(Ref.get(closing), (isClosing) =>
      isClosing
        ? Effect.void
        : actor(threadId).pipe(
            Effect.flatMap(keep),
            Effect.andThen(effect),
            Effect.scoped,
            (kept) => FiberSet.run(background, kept),
            Effect.asVoid
          )
    )

  const actors = yield* RcMap.make({
    lookup: Effect.fnUntraced(function* (threadId: ThreadId) {
      const isLeftBehind = (yield* Ref.get(unsettled)).has(threadId)
      const actor = yield* ThreadActor.make(threadId, { ...host, fork }, isLeftBehind)
      if (isLeftBehind) yield* Ref.update(unsettled, (others) => without(others, threadId))
      return actor
    }),
    idleTimeToLive: "5 minutes"
  })

  const actor: ThreadsInMemory["actor"] = (threadId) =>
    // A thread that could not be read is tried again by the next who asks.
    RcMap.get(actors, threadId).pipe(Effect.tapError(() => RcMap.invalidate(actors, threadId)))

  return {
    actor,
    kept: (threadId) => Ref.getUnsafe(keeping).get(threadId)?.actor,
    fork: (effect) => Effect.asVoid(FiberSet.run(background, effect)),
    forget: (threadId) => RcMap.invalidate(actors, threadId),
    count: Effect.map(RcMap.keys(actors), (threadIds) => [...threadIds].length),
    close: Effect.andThen(Ref.set(closing, true), FiberSet.clear(background))
  }
})

/** A thread that is kept, and how often. */
interface Keeping {
  readonly actor: ThreadActor.ThreadActor
  readonly times: number
}

/** Keeps a thread once more, or once less. What is kept of the actor before it under the same id counts no more. */
const changed =
  (actor: ThreadActor.ThreadActor, by: 1 | -1) =>
  (kept: ReadonlyMap<ThreadId, Keeping>): ReadonlyMap<ThreadId, Keeping> => {
    const before = kept.get(actor.threadId)
    const isSame = before?.actor === actor
    if (!isSame && by === -1) return kept
    const times = (isSame ? before.times : 0) + by
    const after = new Map(kept)
    if (times === 0) after.delete(actor.threadId)
    else after.set(actor.threadId, { actor, times })
    return after
  }

const without = (threadIds: ReadonlySet<ThreadId>, threadId: ThreadId): ReadonlySet<ThreadId> =>
  new Set([...threadIds].filter((other) => other !== threadId))
