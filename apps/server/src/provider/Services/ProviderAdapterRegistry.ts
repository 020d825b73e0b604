/** Which adapter serves which kind of agent. */
import type { ProviderKind } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type { ProviderAdapter } from "./ProviderAdapter.ts"

export class ProviderAdapterRegistry extends Context.Service<
  ProviderAdapterRegistry,
  {
    /** The adapter of a kind. A kind that has no adapter here gets the one for any agent. */
    readonly get: (kind: ProviderKind) => ProviderAdapter
    readonly all: ReadonlyArray<ProviderAdapter>
  }
>()("@signalbox/server/provider/ProviderAdapterRegistry") {}
