/** Erases threads for good: their tapes, what is stored of them, and their rows in the list. */
import type { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { type ThreadChanged, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { ThreadStore } from "../storage/ThreadStore.ts"
import { Tapes, type TapesUnusable } from "../tape/Tapes.ts"
import type { ThreadList } from "./ThreadList.ts"
import type { ThreadsInMemory } from "./ThreadsInMemory.ts"

export const make = Effect.fnUntraced(function* (list: Pick<ThreadList, "has" | "removed">, memory: ThreadsInMemory) {
  const store = yield* ThreadStore
  const provider = yield* ProviderService
  const tapes = yield* Tapes

  /** Tapes first: as long as anything is kept, the thread is in the list and can be deleted again. */
  const erase = (threadId: ThreadId) =>
    tapes
      .remove(threadId)
      .pipe(Effect.andThen(store.remove(threadId)), Effect.andThen(Effect.sync(() => list.removed(threadId))))

  const remove = Effect.fn("Threads.remove")(
    function* (threadId: ThreadId, ifSequence?: Sequence) {
      if (!list.has(threadId)) return
      const actor = yield* Effect.result(memory.actor(threadId))
      // A thread that can't be read can still be deleted. Its agent may run since it could be.
      yield* Result.isSuccess(actor)
        ? actor.success.remove(erase(threadId), ifSequence)
        : Effect.andThen(provider.stopSession(threadId), erase(threadId))
      yield* memory.forget(threadId)
    },
    Effect.scoped,
    Effect.uninterruptible
  )

  /** See `Threads.remove`. */
  return (threadId: ThreadId, ifSequence?: Sequence): Effect.Effect<void, ThreadUnreadable | ThreadChanged> =>
    Effect.catchTags(remove(threadId, ifSequence), {
      StorageError: ({ problem }) => Effect.fail(new ThreadUnreadable({ threadId, problem })),
      TapesUnusable: (error) => Effect.fail(new ThreadUnreadable({ threadId, problem: tapesLeft(error) }))
    })
})

const tapesLeft = ({ folder, reason }: TapesUnusable): Problem => ({
  code: "storage",
  title: "The tapes of this thread can't be removed.",
  cause: reason,
  evidence: { path: folder },
  nextSteps: [{ action: "check-again", label: "Delete the thread again" }]
})
