/** An effect that several may want at once: it runs once, and all of them get its result. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Who comes while it runs waits for that run; who comes later begins another. A run goes on when nobody waits any more. */
export const make = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let running: Deferred.Deferred<A, E> | undefined
  return Effect.suspend(() => {
    if (running !== undefined) return Deferred.await(running)
    const result = Deferred.makeUnsafe<A, E>()
    running = result
    const run = Effect.onExit(effect, (exit) => {
      running = undefined
      return Deferred.done(result, exit)
    })
    return Effect.andThen(Effect.forkDetach(Effect.ignoreCause(run)), Deferred.await(result))
  })
}
