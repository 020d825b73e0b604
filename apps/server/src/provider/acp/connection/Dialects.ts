/** Which version of the protocol is spoken to an agent. */
import type { Dialect } from "@signalbox/acp/Dialect"
import * as Effect from "effect/Effect"
import type { Launch } from "../../agent/Launch.ts"

/**
 * What `AcpClient.make` is given for it. The second version is loaded when it is wanted: its schemas cost time at the start, and
 * it is a draft.
 */
export const of = ({ protocol = 1 }: Launch): Effect.Effect<{ readonly dialect?: Dialect }> =>
  protocol === 1
    ? Effect.succeed({})
    : Effect.map(
        Effect.promise(() => import("@signalbox/acp/DialectV2")),
        ({ dialect }) => ({ dialect })
      )
