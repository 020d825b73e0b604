/** The end of a thread for good: takes no more commands, ends its agent, erases the thread, and tells those who follow it. */
import type { Sequence } from "@signalbox/contracts/Ids"
import { ThreadChanged, ThreadNotFound } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import type { ThreadFeed } from "./ThreadFeed.ts"
import type { ThreadState } from "./ThreadState.ts"

export interface ThreadRemoval {
  /** Whether the thread takes no more commands. It may stay, if it can't be erased. */
  readonly isLeaving: () => boolean
  /** Ends the agent, then the thread. `erase` is the only thing that happens in the thread meanwhile. */
  readonly remove: <E>(
    erase: Effect.Effect<void, E>,
    ifSequence: Sequence | undefined
  ) => Effect.Effect<void, E | ThreadChanged>
}

interface Options {
  readonly state: ThreadState
  readonly lane: Semaphore.Semaphore
  readonly feed: Pick<ThreadFeed, "end">
  /** Ends the agent, and its turn. */
  readonly endAgent: Effect.Effect<void>
  /** Goes on with the thread, because it can't be erased. */
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
