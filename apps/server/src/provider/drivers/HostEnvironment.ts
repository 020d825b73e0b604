/** The environment that agents inherit. */
import * as Context from "effect/Context"

export type Environment = Readonly<Record<string, string | undefined>>

/** Our own environment, except in tests. */
export const HostEnvironment: Context.Reference<Environment> = Context.Reference<Environment>(
  "@signalbox/server/provider/drivers/HostEnvironment",
  { defaultValue: () => process.env }
)
