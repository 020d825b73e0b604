/** Chooses the protocol version for an agent. */
import type { Dialect } from "@signalbox/acp/Dialect"
import * as Effect from "effect/Effect"
import type { Launch } from "../../agent/Launch.ts"

/**
 * Options of `AcpClient.make` for the protocol version. Version 2 is loaded only on demand: it is a draft, and its
 * schemas would slow the start.
 */
export const of = ({ protocol = 1 }: Launch): Effect.Effect<{ readonly dialect?: Dialect }> =>
  protocol === 1
    ? Effect.succeed({})
    : Effect.map(
        Effect.promise(() => import("@signalbox/acp/DialectV2")),
        ({ dialect }) => ({ dialect })
      )
