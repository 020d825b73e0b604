/** How much is kept of one turn, in bytes. Read at each turn, so that a change of the settings counts from the next turn on. */
import { defaultTurnLimitMiB } from "@signalbox/contracts/Settings"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as LiveNumber from "../settings/LiveNumber.ts"

export const mebibyte = 1024 * 1024

export const TurnLimit = Context.Reference<() => number>("@signalbox/server/orchestration/TurnLimit", {
  defaultValue: () => () => defaultTurnLimitMiB * mebibyte
})

/** The limit as the settings have it now. */
export const layer = Layer.effect(
  TurnLimit,
  LiveNumber.follow(({ turnLimitMiB = defaultTurnLimitMiB }) => turnLimitMiB * mebibyte)
)
