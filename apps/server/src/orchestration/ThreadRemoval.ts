/** Deletes a thread: refuses further commands, ends its agent, erases the thread, and ends its followers' streams. */
import type { Sequence } from "@signalbox/contracts/Ids"
import { ThreadChanged, ThreadNotFound } from "@signalbox/contracts/ThreadErrors"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import type { ThreadFeed } from "./ThreadFeed.ts"
import type { ThreadState } from "./ThreadState.ts"

export interface ThreadRemoval {
  /** Whether the thread refuses further commands. It returns to normal if it can't be erased. */
  readonly isLeaving: () => boolean
  /** Ends the agent, then erases the thread. Nothing else happens in the thread during `erase`. */
  readonly remove: <E>(
    erase: Effect.Effect<void, E>,
    ifSequence: Sequence | undefined
  ) => Effect.Effect<void, E | ThreadChanged>
}

interface Options {
  readonly state: ThreadState
  readonly lane: Semaphore.Semaphore
  readonly feed: Pick<ThreadFeed, "end">
  /** Ends the agent and its turn. */
  readonly endAgent: Effect.Effect<void>
  /** Continues the thread, since it could not be erased. */
  readonly stayed: Effect.Effect<void>
}

export const make = ({ endAgent, feed, lane, state, stayed }: Options): ThreadRemoval => {
  const { threadId } = state
  const inLane = Semaphore.withPermit(lane)
  const leaving = Ref.makeUnsafe(false)

  const leave = Effect.fnUntraced(function* (ifSequence: Sequence | undefined) {
    const changed = ifSequence !== undefined && state.head?.sequence !== ifSequence
    if (changed) return yield* new ThreadChanged({ threadId })
    yield* Ref.set(leaving, true)
  }, inLane)

  const end = Effect.sync(() => feed.end(new ThreadNotFound({ threadId })))
  const stay = Effect.andThen(Ref.set(leaving, false), stayed)

  return {
    isLeaving: () => Ref.getUnsafe(leaving),
    remove: Effect.fn("ThreadActor.remove")(function* <E>(
      erase: Effect.Effect<void, E>,
      ifSequence: Sequence | undefined
    ) {
      yield* leave(ifSequence)
      yield* Effect.timeoutOption(endAgent, "5 seconds")
      yield* erase.pipe(
        Effect.andThen(end),
        Effect.tapCause(() => stay),
        inLane
      )
    }, Effect.uninterruptible)
  }
}
