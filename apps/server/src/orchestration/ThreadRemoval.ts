/** The end of a thread for good: takes no more commands, ends its agent, erases the thread, and tells those who follow it. */
import type { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import { ThreadChanged, ThreadNotFound } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type * as ThreadLog from "./ThreadLog.ts"

export interface ThreadRemoval {
  /** Whether the thread takes no more commands. It may stay, if it can't be erased. */
  readonly isLeaving: () => boolean
  /** Whether the thread is erased. */
  readonly isGone: () => boolean
  /** Ends the agent, then the thread. `erase` is the only thing that happens in the thread meanwhile. */
  readonly remove: <E>(
    erase: Effect.Effect<void, E>,
    ifSequence: Sequence | undefined
  ) => Effect.Effect<void, E | ThreadChanged>
}

interface Options {
  readonly threadId: ThreadId
  readonly lane: Semaphore.Semaphore
  readonly log: Pick<ThreadLog.ThreadLog, "head" | "end">
  /** Ends the agent, and its turn. */
  readonly endAgent: Effect.Effect<void>
  /** Goes on with the thread, because it can't be erased. */
  readonly stayed: Effect.Effect<void>
}

export const make = ({ endAgent, lane, log, stayed, threadId }: Options): ThreadRemoval => {
  const inLane = Semaphore.withPermit(lane)
  let leaving = false
  let gone = false

  const leave = Effect.fnUntraced(function* (ifSequence: Sequence | undefined) {
    const changed = ifSequence !== undefined && log.head()?.sequence !== ifSequence
    if (changed) return yield* new ThreadChanged({ threadId })
    leaving = true
  }, inLane)

  const end = Effect.sync(() => {
    gone = true
    log.end(new ThreadNotFound({ threadId }))
  })
  const stay = Effect.andThen(
    Effect.sync(() => (leaving = false)),
    stayed
  )

  return {
    isLeaving: () => leaving,
    isGone: () => gone,
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
