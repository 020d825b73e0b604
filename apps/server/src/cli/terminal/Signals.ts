/** Signals such as Ctrl-C as a stream of values. While there is a listener, Node does not end the process by itself. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { endNow, type Name, names } from "./EndNow.ts"

/**
 * Milliseconds in which a second signal counts as the same one. The launcher forwards each signal, since some programs
 * signal only the launcher. A terminal also sends Ctrl-C to us directly.
 */
const echoMs = process.env["SIGNALBOX_LAUNCHED"] === "1" ? 100 : 0

/** Signals as they come, until the scope closes. A later signal, during the cleanup, ends the process at once. */
export const signals = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<Name>()
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      let last = -Infinity
      const take = (name: Name) => {
        const now = performance.now()
        if (now - last >= echoMs) Queue.offerUnsafe(queue, name)
        last = now
      }
      const listeners = names.map((name) => [name, () => take(name)] as const)
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
  return queue
})

/** Interrupts itself at the first signal. An effect that races with it is ended properly. */
export const interrupted: Effect.Effect<never> = Effect.scoped(
  Effect.andThen(Effect.flatMap(signals, Queue.take), Effect.interrupt)
)
