/** Shows the new output of the agent's own terminals a few times a second. */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as AgentTerminals from "./AgentTerminals.ts"
import type { Emission } from "./Emission.ts"
import type { SessionProjection } from "./SessionProjection.ts"

/** Starts the watch. Closing the scope ends it. It sleeps while no output comes. */
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
