/** The sessions that agents store themselves, from any client. */
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
     * Lists sessions, one page at a time as they are read. An agent without a list reports only its abilities. Agents
     * that file sessions by folder are also asked for the folders of their threads and for `near`. Each session comes
     * once.
     */
    readonly list: (
      id: ProviderId,
      filter: AgentSessionFilter,
      near?: ReadonlyArray<string>
    ) => Stream.Stream<AgentSessionsFrame, ProviderError>
    /**
     * Changes a session. If a thread's process has the session open, that process makes the change. It ends if the
     * change ends the session. Fails with `unsupported` if the agent does not offer it.
     */
    readonly change: (
      id: ProviderId,
      sessionId: ResumeToken,
      change: AgentSessionChange
    ) => Effect.Effect<AgentSessionChanged, ProviderError>
  }
>()("@signalbox/server/provider/AgentSessions") {}
