/** The process that many probes share. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { ProviderError } from "../base/ProviderError.ts"
import type { Greeted } from "./OpenSession.ts"

export interface SharedAgent {
  /** The shared process; a new one if the shared process has ended. */
  readonly agent: Effect.Effect<Greeted, ProviderError>
  /** Ends the shared process. The next probe gets a new one. */
  readonly renew: Effect.Effect<void>
}

/** @param start starts a process. Closing the scope ends that process. */
export const make = Effect.fnUntraced(function* (
  start: Effect.Effect<Greeted, ProviderError, Scope.Scope>
): Effect.fn.Return<SharedAgent, never, Scope.Scope> {
  const scope = yield* Effect.scope
  let shared: { readonly scope: Scope.Closeable; readonly agent: Greeted } | undefined

  const renew = Effect.suspend(() => {
    const old = shared
    shared = undefined
    return old === undefined ? Effect.void : Scope.close(old.scope, Exit.void)
  })

  // Probes that run side by side must get the same process.
  const oneByOne = Semaphore.withPermit(yield* Semaphore.make(1))
  const agent = Effect.gen(function* () {
    if (shared !== undefined && shared.agent.process.pipes() === "open") return shared.agent
    yield* renew
    const own = yield* Scope.fork(scope)
    const greeted = yield* Scope.provide(start, own).pipe(Effect.onError(() => Scope.close(own, Exit.void)))
    shared = { scope: own, agent: greeted }
    return greeted
  }).pipe(oneByOne)

  return { agent, renew }
})
