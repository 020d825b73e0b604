/** How what the agent did changes a thread's state. Pure; see `ThreadProjection`. */
import * as Grants from "@signalbox/contracts/Grants"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as RememberedSettings from "./RememberedSettings.ts"
import { countUnseen, type Draft } from "./ThreadDraft.ts"
import * as TurnQueue from "./TurnQueue.ts"
import {
  changeItem,
  changeRequest,
  completeRequest,
  endOutliving,
  endTurn,
  isOutOfWindow,
  openRequest,
  place,
  pushSession,
  resolveRequest,
  signalSession,
  sign,
  withPiece
} from "./ThreadSteps.ts"

export const apply = (draft: Draft, event: ProviderRuntimeEvent): void => {
  draft.lastSignAt = event.at
  switch (event.type) {
    case "session.started": {
      const { grants: grantedBefore } = draft.session
      signalSession(draft, "started")
      draft.session = {
        state: draft.session.state,
        providerSessionId: event.providerSessionId,
        origin: event.origin,
        startedAt: event.at,
        sessionId: event.resumeToken,
        capabilities: event.capabilities,
        ...(event.mcpServers !== undefined && { mcpServers: event.mcpServers }),
        ...(event.grants !== undefined && { grants: event.grants }),
        ...(event.agentVersion !== undefined && { agentVersion: event.agentVersion }),
        ...(event.pid !== undefined && { pid: event.pid })
      }
      if (event.origin === "replaced") TurnQueue.forgotten(draft)
      if (event.origin !== "new") pushSession(draft, event, event.origin)
      if (grantedBefore !== undefined && event.grants !== undefined)
        tellAdded(draft, event, grantedBefore, event.grants)
      return
    }
    case "session.configured":
      for (const { reason, settingId, value } of RememberedSettings.settle(draft, event)) {
        draft.transcript.put({
          ...place(event, `${event.eventId}:${settingId}`),
          type: "warning",
          message: `${settingId} could not be set to ${String(value)} again.`,
          detail: reason
        })
      }
      return
    case "session.exited": {
      const isThis = draft.session.providerSessionId === event.providerSessionId
      if (signalSession(draft, isThis ? "exited" : "replaced")) endOutliving(draft)
      // A turn that it ended tells it already, with the same evidence.
      if (!event.expected && event.problem) pushSession(draft, event, "exited")
      return
    }
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
      endTurn(draft, event.turnId, event.outcome, event.at, {
        ...(event.stopReason !== undefined && { stopReason: event.stopReason }),
        ...(event.problem && { problem: event.problem })
      })
      return
    case "prompt.replayed":
      draft.transcript.put({
        ...place(event, event.itemId),
        type: "prompt",
        prompt: [{ type: "text", text: event.text }]
      })
      return
    case "message.delta":
      sign(draft, event)
      if (isOutOfWindow(draft, event, event.offset > 0)) return
      changeItem(
        draft,
        event.itemId,
        "message",
        (item) => ({ ...item, text: withPiece(item.text, event.offset, event.text) }),
        () => ({
          ...place(event, event.itemId),
          type: "message",
          text: event.text,
          content: []
        })
      )
      return
    case "message.content":
      sign(draft, event)
      if (isOutOfWindow(draft, event, undefined)) return
      changeItem(
        draft,
        event.itemId,
        "message",
        (item) => ({ ...item, content: [...item.content, event.content] }),
        () => ({ ...place(event, event.itemId), type: "message", text: "", content: [event.content] })
      )
      return
    case "message.completed":
      changeItem(draft, event.itemId, "message", (item) => ({
        ...item,
        endedAt: event.at,
        ...(event.continued && { continued: event.continued })
      }))
      return
    case "message.retried":
      changeItem(draft, event.itemId, "message", (item) => ({ ...item, triedAgain: true }))
      return
    case "thought.delta":
      sign(draft, event)
      if (isOutOfWindow(draft, event, event.offset > 0)) return
      changeItem(
        draft,
        event.itemId,
        "thought",
        (item) => ({ ...item, text: withPiece(item.text, event.offset, event.text) }),
        () => ({
          ...place(event, event.itemId),
          type: "thought",
          text: event.text
        })
      )
      return
    case "thought.completed":
      changeItem(draft, event.itemId, "thought", (item) => ({
        ...item,
        endedAt: event.at,
        ...(event.continued && { continued: event.continued })
      }))
      return
    case "tool.started":
    case "tool.updated":
    case "tool.completed":
      sign(draft, event)
      if (isOutOfWindow(draft, event, event.type !== "tool.started")) {
        if (event.type === "tool.completed") countUnseen(draft, event.turnId, event.tool)
        return
      }
      changeItem(
        draft,
        event.itemId,
        "tool",
        (item) => ({ ...item, tool: event.tool }),
        () => ({
          ...place(event, event.itemId),
          type: "tool",
          tool: event.tool
        })
      )
      return
    case "plan.updated":
      sign(draft, event)
      draft.plan = event.entries
      draft.planned = {
        at: draft.planned?.turnId === event.turnId ? (draft.planned?.at ?? event.at) : event.at,
        changedAt: event.at,
        ...(event.turnId !== undefined && { turnId: event.turnId })
      }
      return
    case "approval.requested":
    case "question.requested":
    case "plan.proposed":
    case "elicitation.requested":
      sign(draft, event)
      openRequest(draft, event.request, event.turnId)
      return
    case "approval.changed":
      sign(draft, event)
      changeRequest(draft, event.request)
      return
    case "approval.resolved":
    case "question.resolved":
    case "plan.resolved":
    case "elicitation.resolved":
      resolveRequest(draft, event.requestId, event.outcome, event.at)
      return
    case "elicitation.completed":
      completeRequest(draft, event.requestId, event.at)
      return
    case "subagent.updated":
      sign(draft, event)
      if (isOutOfWindow(draft, event, undefined)) return
      changeItem(
        draft,
        event.itemId,
        "subagent",
        (item) => ({
          ...item,
          name: event.name,
          state: event.state,
          ...subagentFacts(event)
        }),
        () => ({
          ...place(event, event.itemId),
          type: "subagent",
          name: event.name,
          state: event.state,
          ...subagentFacts(event)
        })
      )
      return
    case "compaction.updated": {
      sign(draft, event)
      if (isOutOfWindow(draft, event, undefined)) return
      const said = {
        state: event.state,
        ...(event.summary !== undefined && { summary: event.summary }),
        ...(event.error !== undefined && { error: event.error })
      }
      changeItem(
        draft,
        event.itemId,
        "compaction",
        (item) => {
          const { error: _, summary: __, ...rest } = item
          return { ...rest, ...said }
        },
        () => ({ ...place(event, event.itemId), type: "compaction", ...said })
      )
      return
    }
    case "file.generated":
      sign(draft, event)
      draft.transcript.put({
        ...place(event, event.itemId),
        type: "file",
        path: event.path,
        ...(event.description !== undefined && { description: event.description })
      })
      return
    case "file.written":
      sign(draft, event)
      draft.transcript.put({
        ...place(event, event.itemId),
        type: "file",
        path: event.path,
        written: { bytes: event.bytes, created: event.created }
      })
      return
    case "runtime.error":
      draft.transcript.put({ ...place(event, event.eventId), type: "problem", problem: event.problem })
      return
    case "runtime.warning":
      draft.transcript.put({
        ...place(event, event.eventId),
        type: "warning",
        message: event.message,
        ...(event.detail !== undefined && { detail: event.detail })
      })
      return
    case "protocol.unknown":
      draft.transcript.put({
        ...place(event, event.eventId),
        type: "unknown",
        reason: event.reason,
        raw: event.raw,
        ...(event.kind !== undefined && { kind: event.kind })
      })
      return
  }
}

/** Settings that allow more than they did before are in force without anybody having said so in this thread. */
const tellAdded = (
  draft: Draft,
  event: RuntimeEventOf<"session.started">,
  before: Grants.Grants,
  now: Grants.Grants
) => {
  const added = Grants.added(before, now)
  if (added.length === 0) return
  draft.transcript.put({
    ...place(event, `${event.eventId}:grants`),
    type: "warning",
    message: `The settings of ${draft.provider.name} allow more than in its last session here.`,
    detail: `New: ${added.join("; ")}.`
  })
}

/** What is told of a sub-agent beside its name and state; what an event leaves out stays as it was. */
const subagentFacts = ({ activity, durationMs, parent, said, task }: RuntimeEventOf<"subagent.updated">) => ({
  ...(task !== undefined && { task }),
  ...(durationMs !== undefined && { durationMs }),
  ...(parent !== undefined && { parent }),
  ...(activity !== undefined && { activity }),
  ...(said !== undefined && { said })
})
