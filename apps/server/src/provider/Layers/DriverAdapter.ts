/** The adapter of a driver: what all ACP agents share, with what only agents of this kind do. */
import * as Effect from "effect/Effect"
import * as AcpAdapterMaker from "../acp/session/AcpAdapterMaker.ts"
import type { Driver } from "../drivers/Driver.ts"
import { TerminalSignIn } from "../Services/TerminalSignIn.ts"
import { startTiming } from "../catalog/StartTiming.ts"

export const make = Effect.fnUntraced(function* (driver: Driver) {
  return yield* AcpAdapterMaker.make(yield* driver.profile, {
    timing: yield* startTiming,
    terminalSignIn: yield* TerminalSignIn
  })
})
