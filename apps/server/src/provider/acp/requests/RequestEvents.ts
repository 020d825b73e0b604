/** The events of requests of all types: opened, and ended. Pure. */
import type { AgentRequest, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import type { Place } from "../projection/EventSink.ts"
import type { EventDraft } from "../profile/EventDraft.ts"

export const requested = (request: AgentRequest, place: Place): EventDraft => {
  switch (request.type) {
    case "approval":
      return { type: "approval.requested", ...place, request }
    case "question":
      return { type: "question.requested", ...place, request }
    case "plan":
      return { type: "plan.proposed", ...place, request }
    case "form":
    case "url":
      return { type: "elicitation.requested", ...place, request }
  }
}

export const resolved = ({ requestId, type }: AgentRequest, place: Place, outcome: RequestOutcome): EventDraft => {
  switch (type) {
    case "approval":
      return { type: "approval.resolved", ...place, requestId, outcome }
    case "question":
      return { type: "question.resolved", ...place, requestId, outcome }
    case "plan":
      return { type: "plan.resolved", ...place, requestId, outcome }
    case "form":
    case "url":
      return { type: "elicitation.resolved", ...place, requestId, outcome }
  }
}
