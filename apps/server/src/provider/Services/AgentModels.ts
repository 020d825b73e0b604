/** The models that agents list without a session. */
import type { AgentModels as Models } from "@signalbox/contracts/AgentModel"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ProviderError } from "../../base/ProviderError.ts"

export class AgentModels extends Context.Service<
  AgentModels,
  {
    /**
     * Undefined if the agent lists no models without a session. A list is kept for some minutes, since asking means
     * starting the agent.
     */
    readonly list: (id: ProviderId) => Effect.Effect<Models | undefined, ProviderError>
  }
>()("@signalbox/server/provider/AgentModels") {}
