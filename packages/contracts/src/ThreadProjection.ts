/** How events change the state of a thread. Pure, and the same on the server and in the page, so that the two cannot disagree. */
import { promptText } from "./Content.ts"
import { ItemId, Sequence } from "./Ids.ts"
import type { Problem } from "./Problem.ts"
import type { ProviderRuntimeEvent } from "./ProviderRuntimeEvent.ts"
import {
  changeItem,
  changeTurn,
  closeLate,
  type Draft,
  draftOf,
  endTurn,
  hasEnded,
  openRequest,
  place,
  pushProblem,
  pushSession,
  resolveRequest,
  resumeTurn,
  sign
} from "./ThreadDraft.ts"
import type { LoggedEvent, OrchestrationEvent, ThreadEvent } from "./ThreadEvent.ts"
import type { ThreadSummary, ThreadView, TurnView } from "./ThreadView.ts"

/** The turn that the agent has, if any: at most one, since prompts wait for each other. */
export const runningTurn = (view: ThreadView): TurnView | undefined =>
  view.turns.find((turn) => turn.status !== "queued" && !hasEnded(turn.status))

/** The state after `events`. They follow `view.sequence` without a gap; the first of a thread is `thread.created`. */
export const apply = (view: ThreadView | undefined, events: ReadonlyArray<LoggedEvent>): ThreadView => {
  let draft = view === undefined ? undefined : draftOf(view)
  for (const { event, sequence } of events) {
    if (draft === undefined) draft = created(event)
    else applyEvent(draft, event)
    draft.sequence = sequence
    draft.updatedAt = event.at
  }
  if (draft === undefined) throw new RangeError("A thread's log begins with thread.created; it was empty.")
  return draft
}

/** The thread's row in the list. */
export const summary = (view: ThreadView): ThreadSummary => {
  const turn = runningTurn(view) ?? view.turns.find(({ status }) => status === "queued") ?? view.turns.at(-1)
  const waiting = view.requests.find(({ answered }) => !answered)
  return {
    threadId: view.threadId,
    sequence: view.sequence,
    title: view.title,
    provider: view.provider,
    cwd: view.cwd,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    ...(turn && { status: turn.status, turnStartedAt: turn.sentAt ?? turn.queuedAt }),
    ...(waiting && { waitingFor: waiting.request.type })
  }
}

const created = (event: ThreadEvent): Draft => {
  if (event.type !== "thread.created")
    throw new RangeError(`A thread's log begins with thread.created, not ${event.type}.`)
  return {
    threadId: event.threadId,
    sequence: Sequence.make(0),
    title: event.title,
    titled: false,
    provider: event.provider,
    cwd: event.cwd,
    createdAt: event.at,
    updatedAt: event.at,
    session: { state: "none" },
    settings: [],
    desired: event.settings,
    commands: [],
    plan: [],
    turns: [],
    items: [],
    requests: []
  }
}

const applyEvent = (draft: Draft, event: ThreadEvent): void => {
  if (!("providerSessionId" in event)) return applyOrchestrationEvent(draft, event)
  applyRuntimeEvent(draft, event)
  if ("late" in event && "itemId" in event) closeLate(draft, event)
}

const applyOrchestrationEvent = (draft: Draft, event: OrchestrationEvent): void => {
  switch (event.type) {
    case "thread.created":
      throw new RangeError("A thread is created once.")
    case "thread.renamed":
      draft.title = event.title
      draft.titled = true
      return
    case "turn.queued":
      if (draft.turns.length === 0 && !draft.titled) draft.title = titleFrom(promptText(event.prompt)) ?? draft.title
      draft.turns.push({ turnId: event.turnId, prompt: event.prompt, status: "queued", queuedAt: event.at })
      return
    case "turn.dispatched": {
      const turn = changeTurn(draft, event.turnId, { status: "sent", sentAt: event.at })
      if (turn) {
        const itemId = ItemId.make(`${event.turnId}:prompt`)
        draft.items.push({ type: "prompt", itemId, turnId: event.turnId, at: event.at, prompt: turn.prompt })
      }
      return
    }
    case "turn.interrupt.requested":
      changeTurn(draft, event.turnId, { status: "cancelling", interruptedAt: event.at })
      return
    case "turn.withdrawn": {
      const turn = draft.turns.find(({ turnId }) => turnId === event.turnId)
      if (turn?.status === "queued") draft.turns = draft.turns.filter((candidate) => candidate !== turn)
      else endTurn(draft, event.turnId, "cancelled", event.at, {})
      return
    }
    case "turn.failed":
      if (draft.session.state === "starting") draft.session = { ...draft.session, state: "exited" }
      endTurn(draft, event.turnId, "failed", event.at, { problem: event.problem })
      return
    case "turn.lost":
      endTurn(draft, event.turnId, "lost", event.at, { problem: lost(event.reason) })
      return
    case "request.answered":
      draft.requests = draft.requests.map((open) =>
        open.request.requestId === event.requestId ? { ...open, answered: true } : open
      )
      resumeTurn(draft)
      return
    case "request.expired":
      resolveRequest(draft, event.requestId, { type: "expired", reason: event.reason }, event.at)
      return
    case "setting.requested":
      draft.desired = { ...draft.desired, [event.settingId]: event.value }
      return
    case "setting.failed": {
      const { [event.settingId]: _, ...others } = draft.desired
      draft.desired = event.desired === undefined ? others : { ...others, [event.settingId]: event.desired }
      pushProblem(draft, `setting:${draft.sequence}`, event.at, event.problem)
      return
    }
    case "session.start.requested":
      draft.session = { ...draft.session, state: "starting" }
      return
    case "session.start.failed":
      draft.session = { ...draft.session, state: "exited" }
      pushProblem(draft, `start:${draft.sequence}`, event.at, event.problem)
      return
    case "session.stop.requested":
      return
  }
}

const applyRuntimeEvent = (draft: Draft, event: ProviderRuntimeEvent): void => {
  draft.lastSignAt = event.at
  switch (event.type) {
    case "session.started":
      draft.session = {
        state: "ready",
        providerSessionId: event.providerSessionId,
        origin: event.origin,
        startedAt: event.at,
        capabilities: event.capabilities,
        ...(event.agentVersion !== undefined && { agentVersion: event.agentVersion }),
        ...(event.pid !== undefined && { pid: event.pid })
      }
      if (event.origin !== "new") pushSession(draft, event, event.origin)
      return
    case "session.configured":
      for (const { reason, settingId, value } of event.skipped) {
        draft.items.push({
          ...place(event, `${event.eventId}:${settingId}`),
          type: "warning",
          message: `${settingId} could not be set to ${String(value)} again.`,
          detail: reason
        })
      }
      return
    case "session.exited":
      // The end of an earlier process says nothing about the one that took its place.
      if (draft.session.state !== "ready" || draft.session.providerSessionId === event.providerSessionId)
        draft.session = { ...draft.session, state: "exited" }
      // A turn that it ended tells it already, with the same evidence.
      if (!event.expected && event.problem) pushSession(draft, event, "exited")
      return
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
      draft.items.push({ ...place(event, event.itemId), type: "prompt", prompt: [{ type: "text", text: event.text }] })
      return
    case "message.delta":
      sign(draft, event)
      changeItem(
        draft,
        event.itemId,
        "message",
        (item) => ({ ...item, text: item.text + event.text }),
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
      changeItem(
        draft,
        event.itemId,
        "message",
        (item) => ({ ...item, content: [...item.content, event.content] }),
        () => ({ ...place(event, event.itemId), type: "message", text: "", content: [event.content] })
      )
      return
    case "message.completed":
      changeItem(draft, event.itemId, "message", (item) => ({ ...item, endedAt: event.at }))
      return
    case "thought.delta":
      sign(draft, event)
      changeItem(
        draft,
        event.itemId,
        "thought",
        (item) => ({ ...item, text: item.text + event.text }),
        () => ({
          ...place(event, event.itemId),
          type: "thought",
          text: event.text
        })
      )
      return
    case "thought.completed":
      changeItem(draft, event.itemId, "thought", (item) => ({ ...item, endedAt: event.at }))
      return
    case "tool.started":
    case "tool.updated":
    case "tool.completed":
      sign(draft, event)
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
      sign(draft, event)
      openRequest(draft, event.request, event.turnId)
      return
    case "approval.resolved":
    case "question.resolved":
    case "plan.resolved":
      resolveRequest(draft, event.requestId, event.outcome, event.at)
      return
    case "subagent.updated":
      sign(draft, event)
      changeItem(
        draft,
        event.itemId,
        "subagent",
        (item) => ({
          ...item,
          state: event.state,
          ...(event.task !== undefined && { task: event.task }),
          ...(event.durationMs !== undefined && { durationMs: event.durationMs })
        }),
        () => ({
          ...place(event, event.itemId),
          type: "subagent",
          name: event.name,
          state: event.state,
          ...(event.task !== undefined && { task: event.task }),
          ...(event.durationMs !== undefined && { durationMs: event.durationMs })
        })
      )
      return
    case "file.generated":
      sign(draft, event)
      draft.items.push({
        ...place(event, event.itemId),
        type: "file",
        path: event.path,
        ...(event.description !== undefined && { description: event.description })
      })
      return
    case "runtime.error":
      draft.items.push({ ...place(event, event.eventId), type: "problem", problem: event.problem })
      return
    case "runtime.warning":
      draft.items.push({
        ...place(event, event.eventId),
        type: "warning",
        message: event.message,
        ...(event.detail !== undefined && { detail: event.detail })
      })
      return
    case "protocol.unknown":
      draft.items.push({
        ...place(event, event.eventId),
        type: "unknown",
        reason: event.reason,
        raw: event.raw,
        ...(event.kind !== undefined && { kind: event.kind })
      })
      return
  }
}

const titleFrom = (prompt: string): string | undefined => {
  const line = prompt
    .split("\n")
    .find((candidate) => candidate.trim() !== "")
    ?.trim()
  if (line === undefined) return undefined
  return line.length <= 72 ? line : `${line.slice(0, 71).trimEnd()}…`
}

const lost = (reason: string): Problem => ({
  code: "turn-lost",
  title: "This turn is lost.",
  cause: reason,
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Send it again" }]
})
