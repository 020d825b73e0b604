/** The steps by which a thread's state changes: what `ThreadProjection` is written in. */
import type { AgentRequest, RequestOutcome } from "./AgentRequest.ts"
import { ItemId, type RequestId, type Timestamp, type TurnId } from "./Ids.ts"
import { copyOf, positionOf } from "./ItemPositions.ts"
import type { Problem } from "./Problem.ts"
import type { ItemView, OpenRequest, ThreadView, TurnStatus, TurnView } from "./ThreadView.ts"

/** A state under change: its lists are copies of its own, taken once per batch. */
export type Draft = { -readonly [Key in keyof Omit<ThreadView, "turns" | "items" | "requests">]: ThreadView[Key] } & {
  turns: Array<TurnView>
  items: Array<ItemView>
  requests: Array<OpenRequest>
}

/** The draft of a state. */
export const draftOf = (view: ThreadView): Draft => ({
  ...view,
  turns: [...view.turns],
  items: copyOf(view.items),
  requests: [...view.requests]
})

const ended: ReadonlySet<TurnStatus> = new Set(["completed", "cancelled", "refused", "limited", "failed", "lost"])

/** Whether a turn is over. */
export const hasEnded = (status: TurnStatus): boolean => ended.has(status)

/** Where an entry stands: shared by all kinds of items. */
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

export const changeTurn = (draft: Draft, turnId: TurnId, change: Partial<TurnView>): TurnView | undefined => {
  const index = draft.turns.findIndex((turn) => turn.turnId === turnId)
  const turn = draft.turns[index]
  if (turn === undefined || hasEnded(turn.status)) return undefined
  return (draft.turns[index] = { ...turn, ...change })
}

/** The first sign of the agent after a prompt turns `sent` into `working`. */
export const sign = (draft: Draft, event: { readonly turnId?: TurnId; readonly late?: true }): void => {
  if (event.turnId === undefined || event.late) return
  const turn = draft.turns.findLast(({ turnId }) => turnId === event.turnId)
  if (turn?.status === "sent") changeTurn(draft, event.turnId, { status: "working" })
}

/** An answer lets the turn go on, unless something else is still open or it is being stopped. */
export const resumeTurn = (draft: Draft): void => {
  const turn = draft.turns.find(({ status }) => status === "waiting")
  if (turn === undefined) return
  const blocked = draft.requests.some((open) => open.turnId === turn.turnId && !open.answered)
  if (!blocked) changeTurn(draft, turn.turnId, { status: "working" })
}

export const openRequest = (draft: Draft, request: AgentRequest, turnId: TurnId | undefined): void => {
  draft.requests.push({ request, answered: false, ...(turnId !== undefined && { turnId }) })
  const turn = turnId === undefined ? undefined : draft.turns.find((candidate) => candidate.turnId === turnId)
  if (turn && turn.status !== "cancelling") changeTurn(draft, turn.turnId, { status: "waiting" })
}

export const resolveRequest = (draft: Draft, requestId: RequestId, outcome: RequestOutcome, at: Timestamp): void => {
  const open = draft.requests.find(({ request }) => request.requestId === requestId)
  if (open === undefined) return
  draft.requests = draft.requests.filter((candidate) => candidate !== open)
  draft.items.push({
    type: "request",
    itemId: ItemId.make(`request:${requestId}`),
    at,
    request: open.request,
    outcome,
    ...(open.turnId !== undefined && { turnId: open.turnId })
  })
  resumeTurn(draft)
}

/** Closes a turn, and whatever of it is still open: nothing may look as if it were going on. */
export const endTurn = (
  draft: Draft,
  turnId: TurnId,
  status: TurnStatus,
  at: Timestamp,
  how: { readonly stopReason?: string; readonly problem?: Problem }
): void => {
  if (changeTurn(draft, turnId, { status, endedAt: at, ...how }) === undefined) return
  for (const { request, turnId: asked } of draft.requests) {
    if (asked === turnId) resolveRequest(draft, request.requestId, { type: "expired", reason: "Its turn ended." }, at)
  }
  for (const [index, item] of draft.items.entries())
    if (item.turnId === turnId) draft.items[index] = closed(item, status, at)
  if (how.problem) pushProblem(draft, `${turnId}:problem`, at, how.problem, turnId)
}

const closed = (item: ItemView, status: TurnStatus, at: Timestamp): ItemView => {
  if ((item.type === "message" || item.type === "thought") && item.endedAt === undefined)
    return { ...item, endedAt: at }
  if (item.type !== "tool" || (item.tool.status !== "pending" && item.tool.status !== "in_progress")) return item
  return { ...item, tool: { ...item.tool, status: status === "cancelled" ? "cancelled" : "unfinished", endedAt: at } }
}

/** What arrives after its turn's end changes what is known of that turn, but starts nothing that would have to end. */
export const closeLate = (
  draft: Draft,
  event: { readonly itemId: ItemId; readonly turnId?: TurnId; readonly at: Timestamp }
): void => {
  const turn = draft.turns.findLast(({ turnId }) => turnId === event.turnId)
  const index = positionOf(draft.items, event.itemId)
  const item = draft.items[index]
  if (turn && item && hasEnded(turn.status)) draft.items[index] = closed(item, turn.status, event.at)
}

export const pushProblem = (draft: Draft, itemId: string, at: Timestamp, problem: Problem, turnId?: TurnId): void => {
  draft.items.push({
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
  change: "resumed" | "loaded" | "replaced" | "exited"
): void => {
  draft.items.push({
    ...place(event, event.eventId),
    type: "session",
    change,
    ...(event.problem && { problem: event.problem })
  })
}

/** Changes the item with this id, or adds it. An id of another type is left alone. */
export const changeItem = <Type extends ItemView["type"]>(
  draft: Draft,
  itemId: ItemId,
  type: Type,
  change: (item: Extract<ItemView, { readonly type: Type }>) => ItemView,
  add?: () => ItemView
): void => {
  const index = positionOf(draft.items, itemId)
  const item = draft.items[index]
  if (item === undefined) {
    if (add) draft.items.push(add())
  } else if (isOfType(item, type)) draft.items[index] = change(item)
}

const isOfType = <Type extends ItemView["type"]>(
  item: ItemView,
  type: Type
): item is Extract<ItemView, { readonly type: Type }> => item.type === type
