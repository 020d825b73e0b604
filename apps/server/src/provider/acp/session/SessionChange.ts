/** Changes a session in the agent's own storage (ACP v1, session delete, close; session archive, title). */
import type { AgentSessionChange, AgentSessionChanged } from "@signalbox/contracts/AgentSession"
import type { ResumeToken } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import type { ProviderError } from "../../../base/ProviderError.ts"
import type { AgentVisit } from "../visits/AgentVisit.ts"

/** Whether the change ends the session, so that its process has nothing left to do. */
export const endsIt = ({ type }: AgentSessionChange): boolean =>
  type === "close" || type === "delete" || type === "archive"

export const change = (
  { ask, client }: Pick<AgentVisit, "ask" | "client">,
  sessionId: ResumeToken,
  change: AgentSessionChange
): Effect.Effect<AgentSessionChanged, ProviderError> => {
  switch (change.type) {
    case "close":
      return Effect.as(ask("session/close", client.closeSession({ sessionId })), {})
    case "delete":
      return Effect.as(ask("session/delete", client.deleteSession({ sessionId })), {})
    case "archive":
      return Effect.as(ask("session/archive", client.archiveSession({ sessionId })), {})
    case "unarchive":
      return Effect.as(ask("session/unarchive", client.unarchiveSession({ sessionId })), {})
    case "rename":
      // The title that the agent stored, which may differ from the requested one.
      return Effect.map(ask("session/set_title", client.setTitle({ sessionId, title: change.title })), ({ title }) => ({
        title
      }))
  }
}
