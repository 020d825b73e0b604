/** The models that agents list before they have a session. */
import type { AgentModels } from "@signalbox/contracts/AgentModel"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

/** Null where the agent lists none. Rejects with `Refused`. */
export const listAgentModels = (providerId: ProviderId, signal: AbortSignal): Promise<AgentModels | null> =>
  Effect.runPromise(
    persistently((client) => client.listAgentModels({ providerId })),
    { signal }
  )
