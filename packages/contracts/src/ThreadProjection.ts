/** How events change the state of a thread. Pure, and the same on the server and in the page, so that the two cannot disagree. */
import { promptText } from "./Content.ts"
import { ItemId, Sequence } from "./Ids.ts"
import type { Problem } from "./Problem.ts"
import type { ProviderRuntimeEvent } from "./ProviderRuntimeEvent.ts"
import {
  changeItem,
  closeLate,
  completeRequest,
  type Draft,
  draftOf,
  endTurn,
  headOf,
  isOutOfWindow,
  openRequest,
  place,
  pushProblem,
  pushSession,
  resolveRequest,
  resumeTurn,
  sign,
  signalTurn,
  withPiece
} from "./ThreadDraft.ts"
import type { LoggedEvent, OrchestrationEvent, ThreadEvent } from "./ThreadEvent.ts"
import type { SessionView, ThreadHead, ThreadPage, ThreadSummary, ThreadView, TurnView } from "./ThreadView.ts"
import * as Transcript from "./Transcript.ts"
import { hasEnded, isRunning } from "./TurnState.ts"

/** The turn that the agent has, if any: at most one, since prompts wait for each other. */
export const runningTurn = ({ turns }: Pick<ThreadHead, "turns">): TurnView | undefined =>
  turns.find(({ status }) => isRunning(status))

/** The state after `events`. They follow `view.sequence` without a gap; the first of a thread is `thread.created`. */
export const apply = (view: ThreadView | undefined, events: ReadonlyArray<LoggedEvent>): ThreadView => {
  const { items, ...head } = view ?? { items: [] }
  const transcript = Transcript.ofList(items)
  const next = applyTo("threadId" in head ? head : undefined, transcript, events)
  return { ...next, items: transcript.items() }
}

/** The same for a state whose transcript is kept elsewhere: changes `transcript`, and returns the rest. */
export const applyTo = (
  head: ThreadHead | undefined,
  transcript: Transcript.Transcript,
  events: ReadonlyArray<LoggedEvent>
): ThreadHead => {
  let draft = head === undefined ? undefined : draftOf(head, transcript)
  for (const { event, sequence } of events) {
    if (draft === undefined) draft = draftOf(created(event), transcript)
    else applyEvent(draft, event)
    draft.sequence = sequence
    draft.updatedAt = event.at
  }
  if (draft === undefined) throw new RangeError("A thread's log begins with thread.created; it was empty.")
  return headOf(draft)
}

/** A window of a thread with the page before it. A turn that reaches over both stands where the page has it, as the window knows it. */
export const withEarlier = (view: ThreadView, { earlier, items, turns }: ThreadPage): ThreadView => {
  const { earlier: _, ...rest } = view
  const known = new Map(view.turns.map((turn) => [turn.turnId, turn]))
  const placed = new Set(turns.map(({ turnId }) => turnId))
  const shown = new Set(view.items.map(({ itemId }) => itemId))
  return {
    ...rest,
    ...(earlier !== undefined && { earlier }),
    turns: [
      ...turns.map((turn) => known.get(turn.turnId) ?? turn),
      ...view.turns.filter(({ turnId }) => !placed.has(turnId))
    ],
    items: [...items.filter(({ itemId }) => !shown.has(itemId)), ...view.items]
  }
}

/** The thread's row in the list. */
export const summary = (view: ThreadHead): ThreadSummary => {
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

const created = (event: ThreadEvent): ThreadHead => {
  if (event.type !== "thread.created")
    throw new RangeError(`A thread's log begins with thread.created, not ${event.type}.`)
  return {
    threadId: event.threadId,
    sequence: Sequence.make(0),
    title: event.title,
    titled: false,
    provider: event.provider,
    cwd: event.cwd,
    ...(event.additionalDirectories !== undefined && { additionalDirectories: event.additionalDirectories }),
    ...(event.from !== undefined && { from: event.from }),
    createdAt: event.at,
    updatedAt: event.at,
    session: { state: "none" },
    settings: [],
    desired: event.settings,
    commands: [],
    plan: [],
    turns: [],
    requests: []
  }
}

const applyEvent = (draft: Draft, event: ThreadEvent): void => {
  if (!("providerSessionId" in event)) return applyOrchestrationEvent(draft, event)
  const known = withLateness(draft, event)
  applyRuntimeEvent(draft, known)
  if ("late" in known && "itemId" in known) closeLate(draft, known)
}

/** What comes in a turn that has ended is late, even if whoever tells it does not know of that end: we may have ended it. */
const withLateness = (draft: Draft, event: ProviderRuntimeEvent): ProviderRuntimeEvent => {
  if (!("itemId" in event) || event.late || event.turnId === undefined) return event
  const turn = draft.turns.findLast(({ turnId }) => turnId === event.turnId)
  return turn !== undefined && hasEnded(turn.status) ? { ...event, late: true } : event
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
      const turn = signalTurn(draft, event.turnId, "dispatched", { sentAt: event.at })
      if (turn) {
        const itemId = ItemId.make(`${event.turnId}:prompt`)
        draft.transcript.put({ type: "prompt", itemId, turnId: event.turnId, at: event.at, prompt: turn.prompt })
      }
      return
    }
    case "turn.interrupt.requested":
      signalTurn(draft, event.turnId, "stopped", { interruptedAt: event.at })
      return
    case "turn.withdrawn": {
      const turn = draft.turns.find(({ turnId }) => turnId === event.turnId)
      if (turn?.status === "queued") draft.turns = draft.turns.filter((candidate) => candidate !== turn)
      else endTurn(draft, event.turnId, "cancelled", event.at, {})
      return
    }
    case "turn.failed":
      if (draft.session.state === "starting") draft.session = settled(draft.session, "exited")
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
      draft.session = settled(draft.session, "starting")
      return
    case "session.start.slow": {
      const { afterMs, waitingFor } = event
      if (draft.session.state === "starting") draft.session = { ...draft.session, slow: { afterMs, waitingFor } }
      return
    }
    case "session.restart.scheduled":
      draft.session = { ...draft.session, restart: { attempt: event.attempt, dueAt: event.dueAt } }
      return
    case "session.start.failed":
      draft.session = settled(draft.session, "exited")
      pushProblem(draft, `start:${draft.sequence}`, event.at, event.problem)
      return
    case "session.stop.requested":
      // Whoever stops it does not want it to come back by itself.
      draft.session = settled(draft.session, draft.session.state)
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
        sessionId: event.resumeToken,
        capabilities: event.capabilities,
        ...(event.agentVersion !== undefined && { agentVersion: event.agentVersion }),
        ...(event.pid !== undefined && { pid: event.pid })
      }
      if (event.origin !== "new") pushSession(draft, event, event.origin)
      return
    case "session.configured":
      for (const { reason, settingId, value } of event.skipped) {
        draft.transcript.put({
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
        draft.session = settled(draft.session, "exited")
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
      changeItem(draft, event.itemId, "message", (item) => ({ ...item, endedAt: event.at }))
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
      changeItem(draft, event.itemId, "thought", (item) => ({ ...item, endedAt: event.at }))
      return
    case "tool.started":
    case "tool.updated":
    case "tool.completed":
      sign(draft, event)
      if (isOutOfWindow(draft, event, event.type !== "tool.started")) return
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

/** A session in another state, without what was said of its start. */
const settled = (
  { restart: _restart, slow: _slow, ...session }: SessionView,
  state: SessionView["state"]
): SessionView => ({ ...session, state })

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
