/**
 * Milliseconds that an agent may be idle before Signalbox ends it; 0: forever. Read each time, so that a change counts
 * at once.
 */
import { defaultIdleMinutes } from "@signalbox/contracts/Settings"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as LiveNumber from "../../../settings/LiveNumber.ts"

const minute = 60_000

export const IdleLimit = Context.Reference<() => number>("@signalbox/server/provider/IdleLimit", {
  defaultValue: () => () => defaultIdleMinutes * minute
})

/** The limit that the settings have now. */
export const layer = Layer.effect(
  IdleLimit,
  LiveNumber.follow(({ idleMinutes = defaultIdleMinutes }) => idleMinutes * minute)
)
