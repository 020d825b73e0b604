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
import type { ProviderError } from "../../base/ProviderError.ts"

export class AgentSessions extends Context.Service<
  AgentSessions,
  {
    /**
     * Asks the agent page by page, as fast as they are taken. One that offers no list tells of its abilities only. One that files sessions
     * by folder is asked for the folders of its threads as well. It is also asked for those that are `near`. Each session comes once.
     */
    readonly list: (
      id: ProviderId,
      filter: AgentSessionFilter,
      near?: ReadonlyArray<string>
    ) => Stream.Stream<AgentSessionsFrame, ProviderError>
    /**
     * A session that one of our threads holds is changed by the process that holds it. That process ends after what ends the session. Fails
     * with `unsupported` where the agent does not offer it.
     */
    readonly change: (
      id: ProviderId,
      sessionId: ResumeToken,
      change: AgentSessionChange
    ) => Effect.Effect<AgentSessionChanged, ProviderError>
  }
>()("@signalbox/server/provider/AgentSessions") {}
