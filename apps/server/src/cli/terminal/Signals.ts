/** Signals such as Ctrl-C as a stream of values. While there is a listener, Node does not end the process by itself. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import { endNow, ignoreUntil, type Name, names } from "./EndNow.ts"
import * as Terminal from "./Terminal.ts"

/**
 * Milliseconds in which a second signal counts as the same one. The launcher forwards each signal, since some programs
 * signal only the launcher. A terminal also sends Ctrl-C to us directly.
 */
const echoMs = process.env["SIGNALBOX_LAUNCHED"] === "1" ? 100 : 0

/** The message at the first signal, if the end may take some time. */
export const stopping = "stopping … (Ctrl-C again kills at once)"

/** Calls `take` for each signal, until the scope closes. A later signal, during the cleanup, ends the process at once. */
const listening = (take: (name: Name) => void) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let last = -Infinity
      const hear = (name: Name) => {
        const now = performance.now()
        const isNew = now - last >= echoMs
        last = now
        // The repetition may come when this listener is gone already, and must not cut the cleanup short.
        ignoreUntil(now + echoMs)
        if (isNew) take(name)
      }
      const listeners = names.map((name) => [name, () => hear(name)] as const)
      // The new listener comes first, then the old one goes. A signal without any listener would kill the process.
      for (const [name, listener] of listeners) {
        process.on(name, listener)
        process.off(name, endNow)
      }
      return listeners
    }),
    (listeners) =>
      Effect.sync(() => {
        for (const [name, listener] of listeners) {
          if (process.listenerCount(name) === 1) process.on(name, endNow)
          process.off(name, listener)
        }
      })
  )

/** Signals as they come, until the scope closes. */
export const signals = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<Name>()
  yield* listening((name) => Queue.offerUnsafe(queue, name))
  return queue
})

/** Interrupts the effect at the first signal, and waits until it has ended properly. Then it interrupts itself. */
export const unlessSignalled = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    // The effect may complete before the signal takes effect. No other code handles this signal.
    let heard = false
    const first = Deferred.makeUnsafe<never>()
    const signal = listening(() => {
      if (!heard) Terminal.err(stopping)
      heard = true
      Deferred.doneUnsafe(first, Exit.interrupt())
    })
    return Effect.raceFirst(effect, Effect.scoped(Effect.andThen(signal, Deferred.await(first)))).pipe(
      Effect.flatMap((result) => (heard ? Effect.interrupt : Effect.succeed(result)))
    )
  })
