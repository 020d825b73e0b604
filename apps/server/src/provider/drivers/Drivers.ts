/** The list of all kinds of agents. */
import type { ProviderKind } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AgentProfile } from "../acp/profile/AgentProfile.ts"
import { AcpDriver } from "./acp/AcpDriver.ts"
import { CursorDriver } from "./cursor/CursorDriver.ts"
import type { Driver, DriverNeeds } from "./Driver.ts"

/** The driver for any ACP agent without special knowledge. */
export const general: Driver = AcpDriver

/** One line for each kind. */
export const all: ReadonlyArray<Driver> = [CursorDriver, general]

/** The kinds in use: all of them, except in tests. */
export const Drivers: Context.Reference<ReadonlyArray<Driver>> = Context.Reference<ReadonlyArray<Driver>>(
  "@signalbox/server/provider/drivers/Drivers",
  { defaultValue: () => all }
)

/** The driver of a kind. A kind that this version doesn't have, e.g. from a tape, gets the general driver. */
export const driverOf = (drivers: ReadonlyArray<Driver>, kind: ProviderKind): Driver =>
  drivers.find((driver) => driver.kind === kind) ?? general

/** The profiles of all kinds, made once. */
export const profiles: Effect.Effect<(kind: ProviderKind) => AgentProfile, never, DriverNeeds> = Effect.gen(
  function* () {
    const drivers = yield* Drivers
    const made = new Map<ProviderKind, AgentProfile>()
    for (const { kind, profile } of drivers) made.set(kind, yield* profile)
    const fallback = yield* general.profile
    return (kind) => made.get(kind) ?? fallback
  }
)
