/** The adapters for all kinds of agents. They still need a tape and a session directory. */
import * as ProviderAdapterRegistry from "../provider/Layers/ProviderAdapterRegistry.ts"

export const layer = ProviderAdapterRegistry.layer
