/** Ctrl-C and its like, as values. While somebody listens here, Node does not end the process by itself. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Signals as they come, until the scope closes. */
export const signals = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<(typeof names)[number]>()
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const listeners = names.map((name) => [name, () => void Queue.offerUnsafe(queue, name)] as const)
      for (const [name, listener] of listeners) process.on(name, listener)
      return listeners
    }),
    (listeners) =>
      Effect.sync(() => {
        for (const [name, listener] of listeners) process.off(name, listener)
      })
  )
  return queue
})
