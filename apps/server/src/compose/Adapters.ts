/** The adapters for all kinds of agents. What they still need: a tape to record on, and a directory of sessions. */
import * as ProviderAdapterRegistry from "../provider/Layers/ProviderAdapterRegistry.ts"

export const layer = ProviderAdapterRegistry.layer
