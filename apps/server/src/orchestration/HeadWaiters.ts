/** Fibers that wait until a thread is as they need it. Each new head resumes those for whom it holds, before anything else happens. */
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"

export interface HeadWaiters {
  /** Resumes those who wait for this head. Synchronous. */
  readonly see: (head: ThreadHead) => void
  /** Waits until the head is as `holds` says, or the thread has ended; at once if it is. */
  readonly until: (holds: (head: ThreadHead) => boolean) => Effect.Effect<void>
  /** Resumes all of them, and everyone who still comes: the thread has ended. */
  readonly end: () => void
  readonly hasEnded: () => boolean
}

interface Waiter {
  readonly holds: (head: ThreadHead) => boolean
  readonly resume: () => void
}

/** `current` gives the head as it is; nothing before `thread.created`. */
export const make = (current: () => ThreadHead | undefined): HeadWaiters => {
  const waiters = new Set<Waiter>()
  let ended = false
  return {
    see: (head) => {
      for (const waiter of waiters) if (waiter.holds(head)) waiter.resume()
    },
    until: (holds) =>
      // The look at the head and the waiting begin in one breath: a head that came between would be missed.
      Effect.callback((resume) => {
        const head = current()
        if (ended || (head !== undefined && holds(head))) return resume(Effect.void)
        const waiter: Waiter = {
          holds,
          resume: () => {
            waiters.delete(waiter)
            resume(Effect.void)
          }
        }
        waiters.add(waiter)
        return Effect.sync(() => waiters.delete(waiter))
      }),
    end: () => {
      ended = true
      for (const waiter of waiters) waiter.resume()
    },
    hasEnded: () => ended
  }
}
