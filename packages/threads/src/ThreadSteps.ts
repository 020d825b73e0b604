/** The steps that change a thread's state; `ThreadProjection` consists of them. */
import type { AgentRequest, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { ItemId, type RequestId, type Timestamp, type TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
import { isOpen } from "./OpenItem.ts"
import type { Draft } from "./ThreadDraft.ts"
import type { ItemView, SessionView, TurnStatus, TurnView } from "@signalbox/contracts/ThreadView"
import type { ToolCall, ToolStatus } from "@signalbox/contracts/ToolCall"
import { hasEnded, type TurnEnding, type TurnSignal } from "./TurnState.ts"
import * as SessionState from "./SessionState.ts"
import * as TurnQueue from "./TurnQueue.ts"
import * as TurnState from "./TurnState.ts"

/** The members of every entry that give its place. */
export const place = (
  event: { readonly turnId?: TurnId; readonly at: Timestamp; readonly late?: true; readonly replayed?: true },
  itemId: string
) => ({
  itemId: ItemId.make(itemId),
  at: event.at,
  ...(event.turnId !== undefined && { turnId: event.turnId }),
  ...(event.late && { late: event.late }),
  ...(event.replayed && { replayed: event.replayed })
})

/** Sends a signal to a turn. Undefined if it changes nothing. */
export const signalTurn = (
  draft: Draft,
  turnId: TurnId,
  signal: TurnSignal,
  change: Partial<TurnView> = {}
): TurnView | undefined => {
  const index = draft.turns.findLastIndex((turn) => turn.turnId === turnId)
  const turn = draft.turns[index]
  const status = turn && TurnState.after(turn.status, signal)
  if (status === undefined) return undefined
  return (draft.turns[index] = { ...turn!, ...change, status })
}

/** Notes that the agent has the prompt: any event of a turn shows it. */
export const sign = (draft: Draft, event: { readonly turnId?: TurnId; readonly late?: true }): void => {
  if (event.turnId !== undefined && !event.late) signalTurn(draft, event.turnId, "sign")
}

/** Continues a turn after an answer, unless another request is open. */
export const resumeTurn = (draft: Draft): void => {
  const turn = draft.turns.find(({ status }) => status === "waiting")
  if (turn === undefined) return
  const blocked = draft.requests.some((open) => open.turnId === turn.turnId && !open.answered)
  if (!blocked) signalTurn(draft, turn.turnId, "unblocked")
}

export const openRequest = (draft: Draft, request: AgentRequest, turnId: TurnId | undefined): void => {
  draft.requests.push({ request, answered: false, ...(turnId !== undefined && { turnId }) })
  if (turnId !== undefined) signalTurn(draft, turnId, "asked")
}

/** Updates an open request. An answer on its way was for the earlier form, and is refused. */
export const changeRequest = (draft: Draft, request: AgentRequest): void => {
  const index = draft.requests.findIndex((open) => open.request.requestId === request.requestId)
  const open = draft.requests[index]
  if (open === undefined) return
  draft.requests[index] = { ...open, request, answered: false }
  if (open.turnId !== undefined) signalTurn(draft, open.turnId, "asked")
}

export const resolveRequest = (draft: Draft, requestId: RequestId, outcome: RequestOutcome, at: Timestamp): void => {
  const open = draft.requests.find(({ request }) => request.requestId === requestId)
  if (open === undefined) return
  draft.requests = draft.requests.filter((candidate) => candidate !== open)
  draft.transcript.put({
    type: "request",
    itemId: itemOfRequest(requestId),
    at,
    request: open.request,
    outcome,
    ...(open.turnId !== undefined && { turnId: open.turnId })
  })
  resumeTurn(draft)
}

/** Marks the purpose of an answered request as complete. */
export const completeRequest = (draft: Draft, requestId: RequestId, at: Timestamp): void =>
  changeItem(draft, itemOfRequest(requestId), "request", (item) => ({ ...item, completedAt: at }))

const itemOfRequest = (requestId: RequestId): ItemId => ItemId.make(`request:${requestId}`)

/** Ends a turn and its open items, so that nothing seems to continue. */
export const endTurn = (
  draft: Draft,
  turnId: TurnId,
  ending: TurnEnding,
  at: Timestamp,
  how: { readonly stopReason?: string; readonly problem?: Problem }
): void => {
  const turn = signalTurn(draft, turnId, ending, { endedAt: at, ...how })
  if (turn === undefined) return
  TurnQueue.ended(draft, turn, ending)
  for (const { request, turnId: asked } of draft.requests) {
    if (asked === turnId) resolveRequest(draft, request.requestId, { type: "expired", reason: "Its turn ended." }, at)
  }
  for (const item of draft.transcript.ofTurn(turnId)) putIfChanged(draft, item, closed(item, ending, at))
  if (how.problem) pushProblem(draft, `${turnId}:problem`, at, how.problem, turnId)
}

/** Ends what had outlived its turn, since the agent is gone. */
export const endOutliving = (draft: Draft): void => {
  for (const turnId of [undefined, ...draft.turns.map(({ turnId }) => turnId)])
    for (const item of draft.transcript.ofTurn(turnId))
      if ((item.type === "subagent" || item.type === "compaction") && isOpen(item))
        draft.transcript.put({ ...item, state: "cancelled" })
}

const closed = (item: ItemView, status: TurnStatus, at: Timestamp): ItemView => {
  if (!isOpen(item)) return item
  if (item.type === "message" || item.type === "thought")
    return { ...item, endedAt: at, ...(cutting.has(status) && { cut: true }) }
  if (item.type === "subagent" || item.type === "compaction")
    return stopping.has(status) ? { ...item, state: "cancelled" } : item
  if (item.type !== "tool") return item
  return { ...item, tool: left(item.tool, status === "cancelled" ? "cancelled" : "unfinished", at) }
}

/** A call that nobody ends any more, with its terminals. */
const left = (tool: ToolCall, status: ToolStatus, endedAt: Timestamp): ToolCall => ({
  ...tool,
  ...(tool.terminals && {
    terminals: tool.terminals.map((each) => (each.state === "running" ? { ...each, state: "unknown" } : each))
  }),
  status,
  endedAt
})

/** Ends that cut off an agent's text. */
const cutting: ReadonlySet<TurnStatus> = new Set(["lost", "failed"])

/** Ends after which nothing of the turn continues, unless the agent reports otherwise later. */
const stopping: ReadonlySet<TurnStatus> = new Set(["lost", "failed", "cancelled"])

const putIfChanged = (draft: Draft, before: ItemView, after: ItemView): void => {
  if (after !== before) draft.transcript.put(after)
}

/** Applies an event after its turn's end. It changes what is known of the turn, but starts nothing that must end. */
export const closeLate = (
  draft: Draft,
  event: { readonly itemId: ItemId; readonly turnId?: TurnId; readonly at: Timestamp }
): void => {
  const item = draft.transcript.get(event.itemId)
  if (item === undefined) return
  // A turn that is out of reach has ended.
  const turn = draft.turns.findLast(({ turnId }) => turnId === event.turnId)
  const status = turn?.status ?? "completed"
  if (hasEnded(status)) putIfChanged(draft, item, closed(item, status, event.at))
}

export const pushProblem = (draft: Draft, itemId: string, at: Timestamp, problem: Problem, turnId?: TurnId): void => {
  draft.transcript.put({
    type: "problem",
    itemId: ItemId.make(itemId),
    at,
    problem,
    ...(turnId !== undefined && { turnId })
  })
}

export const pushSession = (
  draft: Draft,
  event: { readonly eventId: string; readonly at: Timestamp; readonly problem?: Problem },
  change: Exclude<SessionOrigin, "new"> | "exited"
): void => {
  draft.transcript.put({
    ...place(event, event.eventId),
    type: "session",
    change,
    ...(event.problem && { problem: event.problem })
  })
}

/** Changes the item with this id, or adds it. An item of another type stays unchanged. */
export const changeItem = <Type extends ItemView["type"]>(
  draft: Draft,
  itemId: ItemId,
  type: Type,
  change: (item: Extract<ItemView, { readonly type: Type }>) => ItemView,
  add?: () => ItemView
): void => {
  const item = draft.transcript.get(itemId)
  if (item === undefined) {
    if (add) draft.transcript.put(add())
  } else if (isOfType(item, type)) draft.transcript.put(change(item))
}

/**
 * Whether an event is about an entry that is out of reach. It continues (`goesOn`) something from before the window, or
 * comes late to a turn from before it. Later readers of that entry find it changed.
 */
export const isOutOfWindow = (
  draft: Draft,
  event: { readonly turnId?: TurnId; readonly late?: true; readonly itemId: ItemId },
  goesOn: boolean | undefined
): boolean => {
  if (goesOn === false || draft.transcript.get(event.itemId) !== undefined) return false
  if (goesOn && draft.earlier !== undefined) return true
  return event.late === true && !draft.turns.some(({ turnId }) => turnId === event.turnId)
}

/** A text with a piece at its place. A piece that is already there changes nothing. */
export const withPiece = (text: string, offset: number, piece: string): string => {
  if (offset >= text.length) return text + piece
  return offset + piece.length <= text.length ? text : text.slice(0, offset) + piece
}

const isOfType = <Type extends ItemView["type"]>(
  item: ItemView,
  type: Type
): item is Extract<ItemView, { readonly type: Type }> => item.type === type

/** Sends a signal to the session, which removes the notes about its start. Returns whether the signal applies. */
export const signalSession = (draft: Draft, signal: SessionState.SessionSignal): boolean => {
  const state = SessionState.after(draft.session.state, signal)
  if (state === undefined) return false
  draft.session = { ...withoutNotes(draft.session), state }
  return true
}

/** A session without the notes about its start, and without what was chosen until it ends. */
export const withoutNotes = ({
  profile: _profile,
  restart: _restart,
  slow: _slow,
  waiting: _waiting,
  ...session
}: SessionView): SessionView => session
