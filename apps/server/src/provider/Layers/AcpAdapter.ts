/** The adapter for any ACP agent, in its own right. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AcpAdapterMaker from "../acp/AcpAdapterMaker.ts"
import { GenericProfile } from "../acp/GenericProfile.ts"
import { AcpAdapter } from "../Services/AcpAdapter.ts"
import { TerminalSignIn } from "../Services/TerminalSignIn.ts"
import { startTiming } from "./StartTiming.ts"

export const layer = Layer.effect(
  AcpAdapter,
  Effect.gen(function* () {
    return yield* AcpAdapterMaker.make(GenericProfile, {
      timing: yield* startTiming,
      terminalSignIn: yield* TerminalSignIn
    })
  })
)
