/** The adapter for Cursor: what all ACP agents share, with what only Cursor does. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AcpAdapterMaker from "../acp/AcpAdapterMaker.ts"
import * as CursorProfile from "../cursor/CursorProfile.ts"
import { CursorAdapter } from "../Services/CursorAdapter.ts"
import { TerminalSignIn } from "../Services/TerminalSignIn.ts"
import { startTiming } from "./StartTiming.ts"

export const layer = Layer.effect(
  CursorAdapter,
  Effect.gen(function* () {
    const profile = yield* CursorProfile.make
    return yield* AcpAdapterMaker.make(profile, {
      timing: yield* startTiming,
      terminalSignIn: yield* TerminalSignIn
    })
  })
)
