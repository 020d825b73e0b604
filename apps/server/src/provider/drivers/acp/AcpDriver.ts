/** The driver for any ACP agent without special knowledge. */
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
  // Such agents make no requests outside of the protocol.
  recorded: { asks: () => false, responseIn: () => undefined }
}
