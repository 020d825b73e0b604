/** The adapters of all kinds of agents, one for each driver. */
import type { ProviderKind } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Driver } from "../drivers/Driver.ts"
import { Drivers, general } from "../drivers/Drivers.ts"
import type { ProviderAdapter } from "../Services/ProviderAdapter.ts"
import { ProviderAdapterRegistry } from "../Services/ProviderAdapterRegistry.ts"
import * as DriverAdapter from "./DriverAdapter.ts"

/** `acp` serves the kinds that have no adapter here. */
export const make = (
  adapters: Readonly<Record<ProviderKind, ProviderAdapter>> & { readonly acp: ProviderAdapter }
): ProviderAdapterRegistry["Service"] => ({
  get: (kind) => adapters[kind] ?? adapters.acp,
  all: Object.values(adapters)
})

/** One adapter for each driver, made by `adapterOf`. */
export const makeWith = Effect.fnUntraced(function* <E, R>(
  adapterOf: (driver: Driver) => Effect.Effect<ProviderAdapter, E, R>
) {
  const adapters: Record<ProviderKind, ProviderAdapter> = {}
  for (const driver of yield* Drivers) adapters[driver.kind] = yield* adapterOf(driver)
  return make({ ...adapters, acp: adapters[general.kind] ?? (yield* adapterOf(general)) })
})

export const layer = Layer.effect(ProviderAdapterRegistry, makeWith(DriverAdapter.make))
