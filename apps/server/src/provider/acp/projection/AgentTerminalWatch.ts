/** Shows what terminals of the agent's own have printed since they were shown last, a few times a second. */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as AgentTerminals from "./AgentTerminals.ts"
import type { Emission } from "./Emission.ts"
import type { SessionProjection } from "./SessionProjection.ts"

/** Closing the scope ends it. It does nothing while nothing is printed. */
export const make = Effect.fnUntraced(function* (
  projection: SessionProjection,
  emission: Pick<Emission, "emit">
): Effect.fn.Return<void, never, Scope.Scope> {
  const somethingFresh = Latch.makeUnsafe(false)
  projection.onFreshTerminal = () => {
    somethingFresh.openUnsafe()
  }
  yield* Effect.gen(function* () {
    yield* somethingFresh.await
    yield* Effect.sleep(AgentTerminals.pace)
    emission.emit((projection) => {
      if (!AgentTerminals.look(projection)) somethingFresh.closeUnsafe()
    })
  }).pipe(Effect.forever, Effect.forkScoped)
})
