/** The environment that agents inherit from us. */
import * as Context from "effect/Context"

export type Environment = Readonly<Record<string, string | undefined>>

/** Ours, unless a test says otherwise. */
export const HostEnvironment: Context.Reference<Environment> = Context.Reference<Environment>(
  "@signalbox/server/provider/drivers/HostEnvironment",
  { defaultValue: () => process.env }
)
