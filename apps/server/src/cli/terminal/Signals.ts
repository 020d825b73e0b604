/** Ctrl-C and its like, as values. While somebody listens here, Node does not end the process by itself. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { ExitCode } from "./ExitCode.ts"

/**
 * The launcher passes Ctrl-C on, for programs that signal it alone; on a terminal we get it directly as well. Two that come
 * closer together than a person can press the keys are one.
 */
const echoMs = process.env["SIGNALBOX_LAUNCHED"] === "1" ? 100 : 0

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const

const endNow = (): void => process.exit(ExitCode.cancelled)

/** Signals as they come, until the scope closes. One that comes later, while what was begun is being ended, ends the process at once. */
export const signals = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<(typeof names)[number]>()
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      let last = -Infinity
      const take = (name: (typeof names)[number]) => {
        const now = performance.now()
        if (now - last >= echoMs) Queue.offerUnsafe(queue, name)
        last = now
      }
      const listeners = names.map((name) => [name, () => take(name)] as const)
      // Never without a listener: a signal that came between would kill the process.
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

/** Ends, interrupted, with the first signal: what is raced with it is ended properly. */
export const interrupted: Effect.Effect<never> = Effect.scoped(
  Effect.andThen(Effect.flatMap(signals, Queue.take), Effect.interrupt)
)
