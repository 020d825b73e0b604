/**
 * Lets agents start a few at a time, in the order in which they were asked for. Started all at once, they share the processors and none
 * is ready in its time.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { availableParallelism } from "node:os"

export interface Admission {
  /**
   * Waits for a place and takes it; the returned effect gives it back. So does the end of the scope, and `hold`. `onWaiting` hears how many
   * starts are ahead, now and then, as long as it must wait. It hears 0 when it need not wait any more. Interrupting gives up the place.
   */
  readonly admit: (onWaiting?: (ahead: number) => void) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  /** How many wait now. */
  readonly waiting: () => number
}

export interface Options {
  /** How many may start at the same time. */
  readonly places: number
  /** After this a start that goes on makes room: it may wait for a download, or for a person. */
  readonly hold: Duration.Input
}

/** Milliseconds: how often those that wait hear of it at most, and how much less often for each of them. */
const leastPace = 1000
const paceOfEach = 20

interface Waiter {
  readonly admitted: Deferred.Deferred<void>
  readonly onWaiting: (ahead: number) => void
  told: number
}

export const make = ({ hold, places }: Options): Admission => {
  /** In the order in which they came. */
  const waiting = new Set<Waiter>()
  let starting = 0
  let toldAt = -Infinity

  const tell = (waiter: Waiter, ahead: number) => {
    if (waiter.told === ahead) return
    waiter.told = ahead
    waiter.onWaiting(ahead)
  }

  /** Fills the places that are free. */
  const fill = (now: number) => {
    for (const waiter of waiting) {
      if (starting >= places) break
      waiting.delete(waiter)
      starting += 1
      tell(waiter, 0)
      Deferred.doneUnsafe(waiter.admitted, Exit.void)
    }
    if (now - toldAt < Math.max(leastPace, paceOfEach * waiting.size)) return
    toldAt = now
    let ahead = starting
    for (const waiter of waiting) tell(waiter, ahead++)
  }

  const admit: Admission["admit"] = Effect.fnUntraced(function* (onWaiting = () => {}) {
    const clock = yield* Clock.Clock
    const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
    const waiter: Waiter = { admitted: Deferred.makeUnsafe(), onWaiting, told: 0 }
    let held = true
    const giveBack = Effect.sync(() => {
      if (!held) return
      held = false
      if (!waiting.delete(waiter)) starting -= 1
      fill(now())
    })
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        waiting.add(waiter)
        fill(now())
        if (waiting.has(waiter)) tell(waiter, starting + waiting.size - 1)
      }),
      () => giveBack
    )
    yield* Effect.onInterrupt(Deferred.await(waiter.admitted), () => giveBack)
    yield* Effect.forkScoped(Effect.delay(giveBack, hold))
    return giveBack
  })

  return { admit, waiting: () => waiting.size }
}

/** One for all agents of this process: what they share is the machine. */
export const StartAdmission = Context.Reference<Admission>("./StartAdmission.ts", {
  defaultValue: () => make({ places: Math.max(4, 2 * availableParallelism()), hold: "5 seconds" })
})
