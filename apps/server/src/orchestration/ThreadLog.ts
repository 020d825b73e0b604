/**
 * The head of one thread's log, in memory: its state, and whoever follows it. Steps are staged, committed by the store, and only
 * then adopted, so that nobody ever sees what was not kept.
 */
import { type BootId, Sequence, type ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadFrame } from "@signalbox/contracts/Rpc"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { StoredReceipt, ThreadCommit } from "../persistence/ThreadStore.ts"

/** A step that is not taken yet. */
export interface Staged {
  readonly commit: ThreadCommit
  /** Makes it the state and tells followers. Only after the commit, and before anything else is staged. */
  readonly adopt: () => void
}

export interface ThreadLog {
  readonly threadId: ThreadId
  /** The state as committed; nothing before `thread.created`. */
  readonly view: () => ThreadView | undefined
  readonly stage: (events: ReadonlyArray<ThreadEvent>, receipt?: ReceiptOf) => Staged
  /** Waits until the state is as `holds` says; at once if it is. */
  readonly until: (holds: (view: ThreadView) => boolean) => Effect.Effect<void>
  /**
   * `replayed`, or else the state, and then what is adopted from the moment this returns on: a frame for each step, or one
   * for several that it was too slow to take singly.
   */
  readonly follow: (
    replayed: ReadonlyArray<LoggedEvent> | undefined
  ) => Effect.Effect<Stream.Stream<ThreadFrame>, never, Scope.Scope>
}

/** A receipt but for the place in the log, which staging knows. */
export type ReceiptOf = Omit<StoredReceipt, "sequence">

/** Events that a follower may be behind. One that is further behind gets the whole state instead, when it comes for more. */
const furthestBehind = 2000

interface Follower {
  readonly awake: Latch.Latch
  /** Steps that it has not taken yet. */
  steps: Array<ReadonlyArray<LoggedEvent>>
  /** Events in `steps`. */
  behind: number
  /** The next thing it takes is the state, which then holds all that happened until then. */
  skipping: boolean
}

interface Waiter {
  readonly holds: (view: ThreadView) => boolean
  readonly resume: () => void
}

/** `adopted` is told every new state, in the same breath as the followers. */
export const make = (
  threadId: ThreadId,
  initial: ThreadView | undefined,
  bootId: BootId,
  adopted: (view: ThreadView) => void
): ThreadLog => {
  let view = initial
  const followers = new Set<Follower>()
  const waiters = new Set<Waiter>()

  const give = (follower: Follower, events: ReadonlyArray<LoggedEvent>): void => {
    if (follower.skipping) return
    follower.behind += events.length
    follower.steps.push(events)
    if (follower.behind > furthestBehind) {
      follower.skipping = true
      follower.steps = []
    }
    follower.awake.openUnsafe()
  }

  /** All that waits, as one frame. */
  const take = (follower: Follower): ThreadFrame => {
    const { skipping, steps } = follower
    follower.awake.closeUnsafe()
    follower.steps = []
    follower.behind = 0
    follower.skipping = false
    if (skipping && view !== undefined) return { type: "snapshot", bootId, view }
    return { type: "events", events: steps.length === 1 && steps[0] ? steps[0] : steps.flat() }
  }

  const stage: ThreadLog["stage"] = (events, receipt) => {
    const start = view?.sequence ?? 0
    const logged = events.map((event, index) => ({ sequence: Sequence.make(start + index + 1), event }))
    const next = logged.length === 0 ? view : ThreadProjection.apply(view, logged)
    const sequence = Sequence.make(start + logged.length)
    return {
      commit: { threadId, events: logged, view: next, ...(receipt && { receipt: { ...receipt, sequence } }) },
      adopt: () => {
        view = next
        if (logged.length === 0 || view === undefined) return
        adopted(view)
        for (const follower of followers) give(follower, logged)
        for (const waiter of waiters) if (waiter.holds(view)) waiter.resume()
      }
    }
  }

  const until: ThreadLog["until"] = (holds) =>
    Effect.callback((resume) => {
      if (view !== undefined && holds(view)) return resume(Effect.void)
      const waiter: Waiter = {
        holds,
        resume: () => {
          waiters.delete(waiter)
          resume(Effect.void)
        }
      }
      waiters.add(waiter)
      return Effect.sync(() => waiters.delete(waiter))
    })

  const follow = Effect.fnUntraced(function* (replayed: ReadonlyArray<LoggedEvent> | undefined) {
    const follower: Follower = {
      awake: Latch.makeUnsafe(true),
      steps: replayed === undefined ? [] : [replayed],
      behind: 0,
      skipping: replayed === undefined
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => followers.add(follower)),
      () => Effect.sync(() => followers.delete(follower))
    )
    return Stream.fromEffectRepeat(Effect.map(follower.awake.await, () => take(follower)))
  })

  return { threadId, view: () => view, stage, until, follow }
}
