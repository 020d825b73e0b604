/** One component of a running chain, on its own connection to the conductor. */
import type { RawConnection } from "@signalbox/acp/RawConnection"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ChainFailure } from "./ChainFailure.ts"
import type { Component, Started } from "./Component.ts"

export interface Seat {
  readonly component: Component
  readonly started: Started
  readonly connection: RawConnection
}

/** How long a component may take to end when its connection has: a program closes its output first, and exits then. */
const exitGrace = "1 second"

/** Completes when the component can't be talked to any more, and says why. */
export const lost = Effect.fnUntraced(function* ({ component, connection, started }: Seat) {
  const { message } = yield* connection.closed
  const ending = Option.getOrUndefined(yield* Effect.timeoutOption(started.ended, exitGrace))
  const { words, ...evidence } = ending ?? { words: `closed its connection and goes on running (${message})` }
  return new ChainFailure({
    reason: "Ended",
    component: component.name,
    message: `${component.name} ${words}.`,
    ...evidence
  })
})

/** Ends the component; what was sent to it is still written. */
export const stop = ({ connection, started }: Seat): Effect.Effect<void> =>
  Effect.andThen(connection.close, started.stop)
