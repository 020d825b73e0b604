/**
 * The followers of a thread. None delays the thread: a follower that is too slow gets the state instead of the events.
 */
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import type { ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { weightOfLogged } from "../base/EventWeight.ts"

/** Most events, and most characters in them, that may wait for a follower. */
const mostEvents = 2000
const mostWeight = 1024 * 1024

export type FollowError = ThreadNotFound | ThreadUnreadable

export interface Followers {
  /** Gives one step to all followers, as one shared frame. Synchronous. Its places follow those of the step before. */
  readonly give: (events: ReadonlyArray<LoggedEvent>) => void
  /**
   * Follows the thread from the moment this returns, without gap or repetition. First come the `missed` events, or if
   * undefined the `snapshot`. Then each step is a frame; a slow follower gets several steps in one frame. If more than
   * {@link mostEvents} or {@link mostWeight} wait, it gets a `snapshot`. Events that the snapshot already includes are
   * left out.
   */
  readonly follow: (
    missed: ReadonlyArray<LoggedEvent> | undefined,
    snapshot: Effect.Effect<ThreadFrame, FollowError>
  ) => Effect.Effect<Stream.Stream<ThreadFrame, FollowError>, never, Scope.Scope>
  /** Ends all present and later streams with this error. Waiting frames are dropped. */
  readonly end: (error: FollowError) => void
}

type EventsFrame = Extract<ThreadFrame, { readonly type: "events" }>

interface Follower {
  readonly awake: Latch.Latch
  readonly snapshot: Effect.Effect<ThreadFrame, FollowError>
  /** Steps that the follower has not taken yet. */
  steps: Array<EventsFrame>
  /** The number of events in `steps`. */
  events: number
  weight: number
  /** Whether the follower gets the state next, which includes all events until then. */
  skipping: boolean
}

export const make = (): Followers => {
  const followers = new Set<Follower>()
  let ended: FollowError | undefined

  const add = (follower: Follower, step: EventsFrame, weight: number): void => {
    follower.steps.push(step)
    follower.events += step.events.length
    follower.weight += weight
  }

  const empty = (follower: Follower): void => {
    follower.steps = []
    follower.events = 0
    follower.weight = 0
  }

  const take = (follower: Follower): Effect.Effect<ThreadFrame, FollowError> => {
    if (ended) return Effect.fail(ended)
    const { skipping, steps } = follower
    follower.awake.closeUnsafe()
    empty(follower)
    follower.skipping = false
    if (!skipping) return Effect.succeed(joined(steps))
    return Effect.tap(follower.snapshot, (frame) => Effect.sync(() => leaveOut(follower, lastOf(frame))))
  }

  /** Drops waiting events up to `through`, since the snapshot may include them. */
  const leaveOut = (follower: Follower, through: number): void => {
    if (follower.skipping || ended) return
    const rest = follower.steps.flatMap(({ events }) => events.filter(({ sequence }) => sequence > through))
    empty(follower)
    if (rest.length === 0) follower.awake.closeUnsafe()
    else add(follower, { type: "events", events: rest }, weightOfLogged(rest))
  }

  return {
    give: (events) => {
      if (followers.size === 0) return
      const step: EventsFrame = { type: "events", events }
      const weight = weightOfLogged(events)
      for (const follower of followers) {
        if (follower.skipping) continue
        add(follower, step, weight)
        // A single step is never too large: the follower gets it at any length.
        if (follower.steps.length > 1 && (follower.events > mostEvents || follower.weight > mostWeight)) {
          follower.skipping = true
          empty(follower)
        }
        follower.awake.openUnsafe()
      }
    },
    follow: Effect.fnUntraced(function* (missed, snapshot) {
      const follower: Follower = {
        awake: Latch.makeUnsafe(true),
        snapshot,
        steps: [],
        events: 0,
        weight: 0,
        skipping: missed === undefined
      }
      if (missed) add(follower, { type: "events", events: missed }, weightOfLogged(missed))
      yield* Effect.acquireRelease(
        Effect.sync(() => followers.add(follower)),
        () => Effect.sync(() => followers.delete(follower))
      )
      return Stream.fromEffectRepeat(Effect.flatMap(follower.awake.await, () => take(follower)))
    }),
    end: (error) => {
      ended = error
      for (const follower of followers) {
        empty(follower)
        follower.awake.openUnsafe()
      }
    }
  }
}

const joined = (steps: ReadonlyArray<EventsFrame>): EventsFrame => {
  const [only, ...others] = steps
  return only && others.length === 0 ? only : { type: "events", events: steps.flatMap(({ events }) => events) }
}

const lastOf = (frame: ThreadFrame): number =>
  frame.type === "snapshot" ? frame.view.sequence : (frame.events.at(-1)?.sequence ?? 0)
