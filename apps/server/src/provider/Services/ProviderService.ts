/**
 * All agents behind one interface for orchestration. It routes calls by the thread's provider, and merges the events of
 * all adapters.
 */
import type { ProviderRef } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ProviderAdapter, ProviderSession, StartSession } from "./ProviderAdapter.ts"
import type { ProviderError } from "../../base/ProviderError.ts"

export class ProviderService extends Context.Service<
  ProviderService,
  Omit<ProviderAdapter, "kind" | "capabilities" | "startSession"> & {
    /** Starts a session with the adapter. The resume token comes from the session directory unless one is given. */
    readonly startSession: (input: StartSession) => Effect.Effect<ProviderSession, ProviderError>
    readonly adapterOf: (provider: ProviderRef) => ProviderAdapter
  }
>()("@signalbox/server/provider/ProviderService") {}
