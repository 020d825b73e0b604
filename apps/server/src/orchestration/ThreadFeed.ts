/** How a thread is followed: each step is shown to the list, to clients and to those who wait for a state, in one breath. */
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import type * as Effect from "effect/Effect"
import * as Followers from "./Followers.ts"
import * as HeadWaiters from "./HeadWaiters.ts"
import * as RecentEvents from "./RecentEvents.ts"

export interface ThreadFeed extends Pick<HeadWaiters.HeadWaiters, "until" | "hasEnded"> {
  /** Shows a step that has become the state. Synchronous, so that nobody sees a part of it. */
  readonly show: (head: ThreadHead, events: ReadonlyArray<LoggedEvent>) => void
  /** See `Followers.follow`. What was missed since `after` is given first, if all of it is still remembered. */
  readonly follow: (
    after: number | undefined,
    snapshot: Effect.Effect<ThreadFrame, Followers.FollowError>
  ) => ReturnType<Followers.Followers["follow"]>
  /** Ends all streams, and all waiting: the thread is erased. */
  readonly end: (error: Followers.FollowError) => void
}

/** `head` gives the state as it is. `changed` is given every new state first. */
export const make = (head: () => ThreadHead | undefined, changed: (head: ThreadHead) => void): ThreadFeed => {
  const recent = RecentEvents.make(head()?.sequence ?? 0)
  const followers = Followers.make()
  const waiters = HeadWaiters.make(head)
  return {
    show: (now, events) => {
      changed(now)
      recent.add(events)
      followers.give(events)
      waiters.see(now)
    },
    follow: (after, snapshot) => followers.follow(after === undefined ? undefined : recent.after(after), snapshot),
    until: waiters.until,
    end: (error) => {
      followers.end(error)
      waiters.end()
    },
    hasEnded: waiters.hasEnded
  }
}
