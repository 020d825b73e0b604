/** Any agent that speaks the protocol, of which nothing special is known. */
import * as Effect from "effect/Effect"
import type { Driver } from "../Driver.ts"
import * as AcpCheck from "./AcpCheck.ts"
import * as GivenCommand from "./GivenCommand.ts"
import { GenericProfile } from "./GenericProfile.ts"

export const AcpDriver: Driver = {
  kind: "acp",
  profile: Effect.succeed(GenericProfile),
  check: AcpCheck.run,
  fingerprint: AcpCheck.fingerprint,
  shown: GivenCommand.shown,
  withOption: GivenCommand.withOption,
  withVariables: GivenCommand.withVariables,
  // It makes no requests of its own kind.
  recorded: { asks: () => false, responseIn: () => undefined }
}
