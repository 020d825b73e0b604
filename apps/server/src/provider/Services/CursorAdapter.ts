/** The adapter for Cursor's `agent acp`. */
import * as Context from "effect/Context"
import type { ProviderAdapter } from "./ProviderAdapter.ts"

export class CursorAdapter extends Context.Service<CursorAdapter, ProviderAdapter>()(
  "@signalbox/server/provider/CursorAdapter"
) {}
