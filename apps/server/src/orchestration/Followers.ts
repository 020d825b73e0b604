/** Who follows a thread. None of them holds the thread up: one that comes too slowly gets its state instead of what happened. */
import type { ThreadFrame, ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/Rpc"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { weightOfLogged } from "../base/EventWeight.ts"

/** What a follower may leave waiting: events, and characters in them. */
const mostEvents = 2000
const mostWeight = 1024 * 1024

export type FollowError = ThreadNotFound | ThreadUnreadable

export interface Followers {
  /** Hands one step to all of them, as one frame that they share. Synchronous; places follow those of the step before. */
  readonly give: (events: ReadonlyArray<LoggedEvent>) => void
  /**
   * First the events that the follower missed, or where there are none to give its `snapshot`; then all that is given from the moment this
   * returns on, without gap or repeat: a frame for each step, or one for several that it was too slow to take singly. It gets a `snapshot`
   * when it has left more waiting than {@link mostEvents} or {@link mostWeight}. `snapshot` may take its time: what it holds already is not
   * told again.
   */
  readonly follow: (
    missed: ReadonlyArray<LoggedEvent> | undefined,
    snapshot: Effect.Effect<ThreadFrame, FollowError>
  ) => Effect.Effect<Stream.Stream<ThreadFrame, FollowError>, never, Scope.Scope>
  /** Ends all streams with this error, and those of everyone who still comes. What waits is not given any more. */
  readonly end: (error: FollowError) => void
}

type EventsFrame = Extract<ThreadFrame, { readonly type: "events" }>

interface Follower {
  readonly awake: Latch.Latch
  readonly snapshot: Effect.Effect<ThreadFrame, FollowError>
  /** Steps that it has not taken yet. */
  steps: Array<EventsFrame>
  /** What stands in `steps`. */
  events: number
  weight: number
  /** The next thing it takes is the state, which then holds all that happened until then. */
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

  /** What was given while the snapshot was made may be in it already. */
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
        // A single step is never too much: whoever waits for it gets it, however long it is.
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
