/** The adapter for any agent that speaks the Agent Client Protocol. */
import * as Context from "effect/Context"
import type { ProviderAdapter } from "./ProviderAdapter.ts"

export class AcpAdapter extends Context.Service<AcpAdapter, ProviderAdapter>()(
  "@signalbox/server/provider/AcpAdapter"
) {}
