/** The sessions that agents themselves keep, whoever began them. */
import type {
  AgentSessionChange,
  AgentSessionChanged,
  AgentSessionFilter,
  AgentSessionsFrame
} from "@signalbox/contracts/AgentSession"
import type { ResumeToken } from "@signalbox/contracts/Ids"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ProviderError } from "./ProviderError.ts"

export class AgentSessions extends Context.Service<
  AgentSessions,
  {
    /** Asks the agent page by page, as fast as they are taken. One that offers no list tells of its abilities only. */
    readonly list: (id: ProviderId, filter: AgentSessionFilter) => Stream.Stream<AgentSessionsFrame, ProviderError>
    /** Fails with `unsupported` where the agent does not offer it. */
    readonly change: (
      id: ProviderId,
      sessionId: ResumeToken,
      change: AgentSessionChange
    ) => Effect.Effect<AgentSessionChanged, ProviderError>
  }
>()("@signalbox/server/provider/AgentSessions") {}
