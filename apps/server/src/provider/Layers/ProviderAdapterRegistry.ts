/** The two adapters that there are: Cursor's own, and the one for any ACP agent. */
import type { ProviderKind } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AcpAdapter } from "../Services/AcpAdapter.ts"
import { CursorAdapter } from "../Services/CursorAdapter.ts"
import type { ProviderAdapter } from "../Services/ProviderAdapter.ts"
import { ProviderAdapterRegistry } from "../Services/ProviderAdapterRegistry.ts"

export const make = (
  adapters: Readonly<Record<ProviderKind, ProviderAdapter>>
): ProviderAdapterRegistry["Service"] => ({
  get: (kind) => adapters[kind],
  all: Object.values(adapters)
})

export const layer: Layer.Layer<ProviderAdapterRegistry, never, CursorAdapter | AcpAdapter> = Layer.effect(
  ProviderAdapterRegistry,
  Effect.gen(function* () {
    return make({ cursor: yield* CursorAdapter, acp: yield* AcpAdapter })
  })
)
