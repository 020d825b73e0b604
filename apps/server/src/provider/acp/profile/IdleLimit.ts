/** How long an agent may have nothing to do before it ends, in milliseconds; 0: for ever. Read anew, so that a change counts at once. */
import { defaultIdleMinutes } from "@signalbox/contracts/Settings"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as LiveNumber from "../../../settings/LiveNumber.ts"

const minute = 60_000

export const IdleLimit = Context.Reference<() => number>("@signalbox/server/provider/IdleLimit", {
  defaultValue: () => () => defaultIdleMinutes * minute
})

/** The limit as the settings have it now. */
export const layer = Layer.effect(
  IdleLimit,
  LiveNumber.follow(({ idleMinutes = defaultIdleMinutes }) => idleMinutes * minute)
)
