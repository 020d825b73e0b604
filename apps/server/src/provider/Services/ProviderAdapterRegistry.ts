/** Finds the adapter for a kind of agent. */
import type { ProviderKind } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type { ProviderAdapter } from "./ProviderAdapter.ts"

export class ProviderAdapterRegistry extends Context.Service<
  ProviderAdapterRegistry,
  {
    /** The adapter of a kind. An unknown kind gets the adapter for any ACP agent. */
    readonly get: (kind: ProviderKind) => ProviderAdapter
    readonly all: ReadonlyArray<ProviderAdapter>
  }
>()("@signalbox/server/provider/ProviderAdapterRegistry") {}
