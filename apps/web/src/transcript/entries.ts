/** A thread as the list of its transcript's entries: items in order, and between them what only the turns know. */
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, OpenRequest, ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import * as TurnState from "@signalbox/threads/TurnState"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { ItemId } from "@signalbox/contracts/Ids"
import { onlyPlans } from "@signalbox/threads/PlanCall"
import { isRunning, type ToolCall, wentWrong } from "@signalbox/contracts/ToolCall"
import { type Asks, asksOf } from "../words/asks.ts"
import { type Continuation, continuationOf } from "./continued.ts"
import { type SubagentItem, subagentsBelow } from "./subagentsBelow.ts"

export type Entry =
  /**
   * The start of a turn. `number` is unknown while there are earlier turns. `day`: whether it is the first of its day.
   */
  | {
      readonly type: "turn"
      readonly key: string
      readonly number: number | undefined
      readonly turn: TurnView
      readonly day: boolean
    }
  /** The prompt of a turn that ended before it was sent. */
  | { readonly type: "unsent"; readonly key: string; readonly turn: TurnView }
  /** `current`: whether the agent is at this item now. */
  | {
      readonly type: "item"
      readonly key: string
      readonly item: ItemView
      readonly turn: TurnView | undefined
      readonly current: boolean
      /** Whether this call had a request that people have not answered, or did not before its end. */
      readonly asked: boolean
      /** Whether a request of this call is open now. */
      readonly waits: boolean
      readonly waitedMs: number
      /** The call that started this sub-agent. */
      readonly call: ToolCall | undefined
      /** The sub-agents below this one. */
      readonly below: ReadonlyArray<SubagentItem> | undefined
      /** How this text continues the one before. */
      readonly continuation: Continuation | undefined
    }
  | {
      readonly type: "plan"
      readonly key: string
      readonly at: number
      readonly changedAt: number
      readonly plan: ReadonlyArray<PlanEntry>
      /** Whether its turn continues. */
      readonly lit: boolean
    }
  | {
      readonly type: "end"
      readonly key: string
      readonly turn: TurnView
    }
  | { readonly type: "waiting"; readonly key: string; readonly requests: ReadonlyArray<OpenRequest> }

const hasEnded = ({ status }: TurnView): boolean => TurnState.hasEnded(status)

interface Span {
  readonly turn: TurnView
  readonly number: number | undefined
  /** The times of its first and last item as positions; -1 without any. */
  first: number
  last: number
}

/**
 * Makes the entries. `live`: whether the view is current; without a connection the agent's place is unknown. `goesOn`:
 * further entries follow the last one, so the end of its turn is unknown.
 */
export const entriesOf = (view: ThreadView, live = true, goesOn = false): ReadonlyArray<Entry> => {
  const spans = spansOf(view)
  const entries: Array<Entry> = []
  const asks = asksOf(view)
  const calls = subagentCalls(view)
  const planBefore = planPlace(view, spans)
  const running = ThreadProjection.runningTurn(view)
  const current = live && running && running.status !== "waiting" ? spans.get(running.turnId)?.last : undefined
  const without = [...spans.values()].filter(({ first, turn }) => first === -1 && hasEnded(turn))
  let previousDay = ""
  const head = ({ number, turn }: Span) => {
    const day = new Date(turn.sentAt ?? turn.queuedAt).toDateString()
    entries.push({ type: "turn", key: `turn:${turn.turnId}`, number, turn, day: day !== previousDay })
    previousDay = day
    if (turn.sentAt === undefined) entries.push({ type: "unsent", key: `unsent:${turn.turnId}`, turn })
  }
  const end = ({ turn }: Span) => {
    if (hasEnded(turn)) entries.push({ type: "end", key: `end:${turn.turnId}`, turn })
  }
  const plan = () => {
    if (view.plan.length === 0 || view.planned === undefined) return
    const { at, changedAt } = view.planned
    const lit = live && running?.status === "working" && running.turnId === view.planned.turnId
    entries.push({ type: "plan", key: `plan:${view.planned.turnId ?? ""}`, at, changedAt, plan: view.plan, lit })
  }
  let continuation: Continuation | undefined
  const below = subagentsBelow(view)
  for (const [index, item] of view.items.entries()) {
    continuation = continuationOf(item, view.items[index - 1], continuation)
    while (without[0]?.turn.endedAt !== undefined && without[0].turn.endedAt < item.at) {
      head(without[0])
      end(without[0])
      without.shift()
    }
    const span = item.turnId === undefined ? undefined : spans.get(item.turnId)
    if (planBefore === index) plan()
    if (span?.first === index) head(span)
    if (!isHidden(item, view, asks) && !calls.hidden.has(item.itemId) && !below.hidden.has(item.itemId))
      entries.push({
        type: "item",
        key: item.itemId,
        item,
        turn: span?.turn,
        current: index === current || isCallOf(calls.ofSubagent.get(item.itemId), view.items[current ?? -1]),
        asked: item.type === "tool" && asks.isAsked(item),
        waits: item.type === "tool" && asks.isOpen(item),
        waitedMs: item.type === "tool" ? asks.waitedMs(item) : 0,
        call: calls.ofSubagent.get(item.itemId),
        below: below.of.get(item.itemId),
        continuation
      })
    if (span?.last === index) {
      if (planBefore === "end of its turn" && view.planned?.turnId === item.turnId) plan()
      if (!goesOn || index < view.items.length - 1) end(span)
    }
  }
  if (planBefore === "behind all") plan()
  for (const span of without) {
    head(span)
    end(span)
  }
  const open = view.requests.filter(({ answered }) => !answered)
  if (open.length > 0) entries.push({ type: "waiting", key: "waiting", requests: open })
  return entries
}

/** Whether two entries with one key look equal. Entries are made again with every state, but their content is not. */
export const sameEntry = (before: Entry, after: Entry): boolean => {
  if (before.type === "item" && after.type === "item")
    return (
      before.item === after.item &&
      before.current === after.current &&
      before.asked === after.asked &&
      before.waits === after.waits &&
      before.waitedMs === after.waitedMs &&
      before.call === after.call &&
      sameList(before.below ?? [], after.below ?? []) &&
      before.continuation === after.continuation &&
      before.turn?.problem === after.turn?.problem
    )
  if (before.type === "turn" && after.type === "turn")
    return before.turn === after.turn && before.number === after.number && before.day === after.day
  if (before.type === "unsent" && after.type === "unsent") return before.turn === after.turn
  if (before.type === "plan" && after.type === "plan")
    return (
      before.plan === after.plan &&
      before.at === after.at &&
      before.changedAt === after.changedAt &&
      before.lit === after.lit
    )
  if (before.type === "end" && after.type === "end") return before.turn === after.turn
  if (before.type === "waiting" && after.type === "waiting") return sameList(before.requests, after.requests)
  return false
}

const sameList = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>): boolean =>
  before.length === after.length && before.every((value, index) => value === after[index])

const spansOf = ({ earlier, items, turns }: ThreadView): ReadonlyMap<string, Span> => {
  const numbered = earlier === undefined
  const spans = new Map<string, Span>(
    turns.map((turn, index) => [turn.turnId, { turn, number: numbered ? index + 1 : undefined, first: -1, last: -1 }])
  )
  for (const [index, item] of items.entries()) {
    const span = item.turnId === undefined ? undefined : spans.get(item.turnId)
    if (span === undefined || item.late) continue
    if (span.first === -1) span.first = index
    span.last = index
  }
  return spans
}

/** Whether an item is hidden: the plan already shows a call that only writes or proposes it. */
const isHidden = (item: ItemView, { planned }: ThreadView, asks: Asks): boolean =>
  item.type === "tool" && onlyPlans(item.tool) && (planned !== undefined || isRunning(item.tool) || asks.proposes(item))

/** Calls that started sub-agents with entries of their own. One entry shows both, except for calls that failed. */
const subagentCalls = ({ items }: ThreadView) => {
  const hidden = new Set<ItemId>()
  const ofSubagent = new Map<ItemId, ToolCall>()
  const tasks = new Map<string, Extract<ItemView, { readonly type: "tool" }>>()
  for (const item of items)
    if (item.type === "tool" && item.tool.subject.type === "task" && !isUndone(item.tool))
      tasks.set(`${item.turnId ?? ""}:subagent:${item.tool.toolCallId}`, item)
  for (const item of items) {
    const task = item.type === "subagent" ? tasks.get(item.itemId) : undefined
    if (task === undefined) continue
    hidden.add(task.itemId)
    ofSubagent.set(item.itemId, task.tool)
  }
  return { hidden, ofSubagent }
}

const isCallOf = (call: ToolCall | undefined, item: ItemView | undefined): boolean =>
  call !== undefined && item?.type === "tool" && item.tool === call

const isUndone = (tool: ToolCall): boolean => tool.status === "rejected" || wentWrong(tool)

/**
 * The index of the item that the plan is shown before: after all items that preceded the plan. A plan that comes after
 * the end of its turn stands behind that end, as late items do.
 */
const planPlace = (
  { items, planned }: ThreadView,
  spans: ReadonlyMap<string, Span>
): number | "end of its turn" | "behind all" => {
  if (planned === undefined) return "behind all"
  const span = planned.turnId === undefined ? undefined : spans.get(planned.turnId)
  if (span === undefined || span.first === -1 || (span.turn.endedAt ?? Infinity) < planned.at) {
    const index = items.findIndex(({ at }) => at > planned.at)
    return index === -1 ? "behind all" : index
  }
  for (let index = span.first + 1; index <= span.last; index++) if ((items[index]?.at ?? 0) > planned.at) return index
  return "end of its turn"
}
