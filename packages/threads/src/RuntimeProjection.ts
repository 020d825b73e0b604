/** Applies an agent's events to a thread's state. Pure; see `ThreadProjection`. */
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as EntryProjection from "./EntryProjection.ts"
import * as SessionEvents from "./SessionEvents.ts"
import type { Draft } from "./ThreadDraft.ts"
import {
  changeItem,
  changeRequest,
  completeRequest,
  endTurn,
  openRequest,
  place,
  resolveRequest,
  sign
} from "./ThreadSteps.ts"

export const apply = (draft: Draft, event: ProviderRuntimeEvent): void => {
  draft.lastSignAt = event.at
  switch (event.type) {
    case "session.started":
      return SessionEvents.started(draft, event)
    case "session.configured":
      return SessionEvents.configured(draft, event)
    case "session.exited":
      return SessionEvents.exited(draft, event)
    case "session.info.updated":
      if (!draft.titled && event.title !== null && event.title.trim() !== "") draft.title = event.title
      return
    case "commands.updated":
      draft.commands = event.commands
      return
    case "settings.updated":
      draft.settings = event.settings
      return
    case "usage.updated":
      draft.usage = { used: event.used, size: event.size, ...(event.cost && { cost: event.cost }) }
      return
    case "turn.started":
      return
    case "turn.completed":
      return endTurn(draft, event.turnId, event.outcome, event.at, {
        ...(event.stopReason !== undefined && { stopReason: event.stopReason }),
        ...(event.problem && { problem: event.problem })
      })
    case "prompt.replayed":
      return EntryProjection.addReplayedPrompt(draft, event)
    case "message.delta":
    case "thought.delta":
      return EntryProjection.addText(draft, event)
    case "message.completed":
    case "thought.completed":
      return EntryProjection.endText(draft, event)
    case "message.content":
      return EntryProjection.addContent(draft, event)
    case "message.retried":
      return changeItem(draft, event.itemId, "message", (item) => ({ ...item, triedAgain: true }))
    case "tool.started":
    case "tool.updated":
    case "tool.completed":
      return EntryProjection.changeTool(draft, event)
    case "plan.updated":
      return plan(draft, event)
    case "approval.requested":
    case "question.requested":
    case "plan.proposed":
    case "elicitation.requested":
      sign(draft, event)
      return openRequest(draft, event.request, event.turnId)
    case "approval.changed":
      sign(draft, event)
      return changeRequest(draft, event.request)
    case "approval.resolved":
    case "question.resolved":
    case "plan.resolved":
    case "elicitation.resolved":
      return resolveRequest(draft, event.requestId, event.outcome, event.at)
    case "elicitation.completed":
      return completeRequest(draft, event.requestId, event.at)
    case "subagent.updated":
      return EntryProjection.changeSubagent(draft, event)
    case "compaction.updated":
      return EntryProjection.changeCompaction(draft, event)
    case "file.generated":
    case "file.written":
      return EntryProjection.addFile(draft, event)
    case "runtime.error":
      return draft.transcript.put({ ...place(event, event.eventId), type: "problem", problem: event.problem })
    case "runtime.warning":
      return EntryProjection.addWarning(draft, event)
    case "protocol.unknown":
      return EntryProjection.addUnknown(draft, event)
  }
}

const plan = (draft: Draft, event: RuntimeEventOf<"plan.updated">): void => {
  sign(draft, event)
  draft.plan = event.entries
  draft.planned = {
    at: draft.planned?.turnId === event.turnId ? (draft.planned?.at ?? event.at) : event.at,
    changedAt: event.at,
    ...(event.turnId !== undefined && { turnId: event.turnId })
  }
}
