/** The sessions that agents keep themselves. */
import type {
  AgentSessionChange,
  AgentSessionChanged,
  AgentSessionFilter,
  AgentSessionsFrame
} from "@signalbox/contracts/AgentSession"
import type { ResumeToken } from "@signalbox/contracts/Ids"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { once } from "./calls.ts"
import { clientAfter } from "./link.ts"

/** Resolves with the last of them; rejects with `Refused`, or when the connection is lost meanwhile. */
export const listAgentSessions = (
  providerId: ProviderId,
  filter: AgentSessionFilter,
  onFrame: (frame: AgentSessionsFrame) => void,
  signal: AbortSignal
): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(clientAfter(), (client) =>
      Stream.runForEach(client.listAgentSessions({ providerId, filter }), (frame) => Effect.sync(() => onFrame(frame)))
    ),
    { signal }
  )

/** Rejects with `Refused`. */
export const changeAgentSession = (
  providerId: ProviderId,
  sessionId: ResumeToken,
  change: AgentSessionChange
): Promise<AgentSessionChanged> =>
  Effect.runPromise(once((client) => client.changeAgentSession({ providerId, sessionId, change })))
