/** The adapters for all kinds of agents. What they still need: a tape to record on, and a directory of sessions. */
import * as Layer from "effect/Layer"
import * as AcpAdapter from "../provider/Layers/AcpAdapter.ts"
import * as CursorAdapter from "../provider/Layers/CursorAdapter.ts"
import * as ProviderAdapterRegistry from "../provider/Layers/ProviderAdapterRegistry.ts"

export const layer = ProviderAdapterRegistry.layer.pipe(Layer.provide([CursorAdapter.layer, AcpAdapter.layer]))
