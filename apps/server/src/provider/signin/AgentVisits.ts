/** Visits to the agents of the catalogue, with the profile of their kind. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AgentVisits from "../acp/visits/AgentVisits.ts"
import * as Drivers from "../drivers/Drivers.ts"
import { TerminalSignIn } from "../Services/TerminalSignIn.ts"
import { startTiming } from "../catalog/StartTiming.ts"

export const layer = Layer.effect(
  AgentVisits.AgentVisits,
  Effect.gen(function* () {
    return yield* AgentVisits.make({
      profileOf: yield* Drivers.profiles,
      terminalSignIn: yield* TerminalSignIn,
      timing: yield* startTiming
    })
  })
)
