/** The list of all kinds of agents. */
import type { ProviderKind } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AgentProfile } from "../acp/profile/AgentProfile.ts"
import { AcpDriver } from "./acp/AcpDriver.ts"
import { CursorDriver } from "./cursor/CursorDriver.ts"
import type { Driver, DriverNeeds } from "./Driver.ts"

/** The driver for any agent of which nothing special is known. */
export const general: Driver = AcpDriver

/** One line for each kind. */
export const all: ReadonlyArray<Driver> = [CursorDriver, general]

/** The kinds that are in use: all of them, unless a test says otherwise. */
export const Drivers: Context.Reference<ReadonlyArray<Driver>> = Context.Reference<ReadonlyArray<Driver>>(
  "@signalbox/server/provider/drivers/Drivers",
  { defaultValue: () => all }
)

/** The driver of a kind. A tape or a thread may name a kind that this version doesn't have: then the one for any agent. */
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
