/** Visits to the agents of the catalogue, each by what its kind needs. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AgentVisits from "../acp/AgentVisits.ts"
import { GenericProfile } from "../acp/GenericProfile.ts"
import * as CursorProfile from "../cursor/CursorProfile.ts"
import { TerminalSignIn } from "../Services/TerminalSignIn.ts"
import { startTiming } from "./StartTiming.ts"

export const layer = Layer.effect(
  AgentVisits.AgentVisits,
  Effect.gen(function* () {
    const cursor = yield* CursorProfile.make
    return yield* AgentVisits.make({
      profileOf: (kind) => (kind === "cursor" ? cursor : GenericProfile),
      terminalSignIn: yield* TerminalSignIn,
      timing: yield* startTiming
    })
  })
)
