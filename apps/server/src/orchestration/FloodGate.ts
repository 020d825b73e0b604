/**
 * Limits what one turn of an agent stores. Events beyond the limit are left out; an entry in their place reports their
 * size and their place on the tape. The agent is still read, and its turn continues to its end. One gate for each
 * thread; synchronous.
 *
 * It counts the bytes of all texts that stay; a repeated tool call counts only in its latest form. Requests to people
 * and ends always pass, since people must answer and know; `RequestLimit` limits them. A request that the settings
 * allow at once counts as text. Plans, settings and similar states have a separate limit of equal size, so a flood of
 * text hides none. Beyond it the latest state of each kind comes at the end. Written files and problems have a separate
 * limit, too. A history that a session repeats counts as a turn.
 */
import type { ItemId, RequestId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { TextEnd, TextPiece } from "@signalbox/contracts/TextEvents"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { textsIn } from "../base/TextsIn.ts"
import * as FloodNote from "./FloodNote.ts"

/** Bytes that each entry counts beside its texts, since even an empty one has a cost. */
const base = 256

type Events = ReadonlyArray<ProviderRuntimeEvent>

/** An event that replaces the one before it. */
type StateEvent = RuntimeEventOf<
  "plan.updated" | "commands.updated" | "settings.updated" | "usage.updated" | "session.info.updated"
>

type ToolEvent = Extract<ProviderRuntimeEvent, { readonly tool: ToolCall }>

type RequestEvent = RuntimeEventOf<
  "approval.requested" | "approval.changed" | "question.requested" | "plan.proposed" | "elicitation.requested"
>

/** The gate of one thread: plain data that only `pass` changes. */
export interface FloodGate {
  /** Bytes that one turn may store. Read at each turn. */
  readonly limit: () => number
  turn: Turn
  /** Requests that the settings have allowed at once. */
  allowed: ReadonlySet<RequestId>
  /** The allowed requests that were left out, until their end comes. */
  readonly leftOut: Set<RequestId>
}

/** The state of one turn's storage. */
interface Turn {
  /** True while the agent works on the turn. False for a replayed history, and between turns. */
  running: boolean
  /** Bytes that each kind of events may store. */
  readonly most: number
  spent: number
  spentOnStates: number
  spentOnRecords: number
  /** States that wait for the turn's end. */
  readonly states: Map<StateEvent["type"], StateEvent>
  left: FloodNote.LeftOut | undefined
  /** Bytes that an entry's latest event counts, for events with the whole entry. */
  readonly counted: Map<ItemId, number>
  /** Calls that may still change, in their last stored form. */
  readonly open: Map<ItemId, ToolCall>
  /** The stored length of texts that were cut. */
  readonly cut: Map<ItemId, number>
}

export const make = (limit: () => number): FloodGate => ({
  limit,
  turn: begin(limit(), false),
  allowed: none,
  leftOut: new Set()
})

/** The events to store, with an entry about those left out. Takes each event of the thread once, in order. */
export const pass = (gate: FloodGate, events: Events): Events => {
  gate.allowed = allowedAtOnce(events)
  return events.flatMap((event) => take(gate, event))
}

const take = (gate: FloodGate, event: ProviderRuntimeEvent): Events => {
  const { turn } = gate
  switch (event.type) {
    case "turn.started":
    case "session.started": {
      const last = ending(turn)
      gate.turn = begin(gate.limit(), event.type === "turn.started")
      return [...last, event]
    }
    case "turn.completed":
    case "session.exited":
      return [...ending(turn), event]
    case "message.delta":
    case "thought.delta":
      return keptOrNote(turn, event, text(turn, event))
    case "message.completed":
    case "thought.completed":
      return textEnd(turn, event)
    case "tool.started":
    case "tool.updated":
    case "tool.completed":
      return [...tool(turn, event), ...note(turn)]
    case "subagent.updated":
    case "compaction.updated":
      return keptOrNote(turn, event, whole(turn, event))
    case "message.content":
    case "message.retried":
    case "prompt.replayed":
    case "protocol.unknown":
    case "file.generated":
    case "runtime.warning":
      return keptOrNote(turn, event, single(turn, event))
    case "plan.updated":
    case "commands.updated":
    case "settings.updated":
    case "usage.updated":
    case "session.info.updated":
      return state(turn, event)
    case "approval.requested":
    case "approval.changed":
    case "question.requested":
    case "plan.proposed":
    case "elicitation.requested":
      return keptOrNote(turn, event, request(gate, event))
    case "approval.resolved":
      // The end of a request is left out together with the request.
      return gate.leftOut.delete(event.requestId) ? [] : [event]
    case "question.resolved":
    case "plan.resolved":
    case "elicitation.resolved":
    case "elicitation.completed":
    case "session.configured":
      return [event]
    case "file.written":
    case "runtime.error":
      return keptOrNote(turn, event, onRecord(turn, event))
  }
}

const begin = (most: number, running: boolean): Turn => ({
  running,
  most,
  spent: 0,
  spentOnStates: 0,
  spentOnRecords: 0,
  states: new Map(),
  left: undefined,
  counted: new Map(),
  open: new Map(),
  cut: new Map()
})

/** Events before the end of the turn. */
const ending = (turn: Turn): Events => {
  turn.running = false
  const last = [...turn.states.values()]
  turn.states.clear()
  return [...last, ...note(turn, true)]
}

const keptOrNote = (turn: Turn, event: ProviderRuntimeEvent, isKept: boolean): Events => (isKept ? [event] : note(turn))

/** The entry about what was left out, if it is due. */
const note = ({ left, most, running }: Turn, atOnce = false): Events =>
  left === undefined ? [] : FloodNote.due(left, { atOnce, limit: most, running })

const fits = ({ left, most, spent }: Turn, bytes: number): boolean => left === undefined && spent + bytes <= most

const leaveOut = (turn: Turn, event: ProviderRuntimeEvent, bytes: number): void => {
  turn.left ??= FloodNote.begin(event)
  FloodNote.add(turn.left, event, bytes)
}

/** Stores `added` bytes if they fit. If not, leaves out the event, which has `bytes`. */
const spend = (turn: Turn, event: ProviderRuntimeEvent, bytes: number, added = bytes): boolean => {
  if (fits(turn, added)) {
    turn.spent += added
    return true
  }
  leaveOut(turn, event, bytes)
  return false
}

/** Keeps an event that holds a whole entry, if it fits. It takes the place of the entry's earlier event. */
const whole = (turn: Turn, event: ProviderRuntimeEvent & { readonly itemId: ItemId }): boolean => {
  const bytes = base + bytesOf(event)
  const isKept = spend(turn, event, bytes, bytes - (turn.counted.get(event.itemId) ?? 0))
  if (isKept) turn.counted.set(event.itemId, bytes)
  return isKept
}

const tool = (turn: Turn, event: ToolEvent): Events => {
  const { open } = turn
  const isKept = whole(turn, event)
  const isOver = event.type === "tool.completed"
  const before = open.get(event.itemId)
  if (isOver) open.delete(event.itemId)
  else if (isKept) open.set(event.itemId, event.tool)
  if (isKept) return [event]
  // The end of the call is stored, even without its content.
  if (before === undefined) return []
  const { endedAt, status } = event.tool
  const call = { ...before, status, ...(endedAt !== undefined && { endedAt }) }
  if (!isOver) open.set(event.itemId, call)
  return [{ ...event, tool: call }]
}

const text = (turn: Turn, event: TextPiece): boolean => {
  const isKept = spend(turn, event, Buffer.byteLength(event.text) + (event.offset === 0 ? base : 0))
  if (!isKept && !turn.cut.has(event.itemId)) turn.cut.set(event.itemId, event.offset)
  return isKept
}

const textEnd = ({ cut }: Turn, event: TextEnd): Events => {
  const length = cut.get(event.itemId)
  if (length === undefined) return [event]
  cut.delete(event.itemId)
  const { continued: _, ...end } = event
  return length === 0 ? [] : [{ ...end, length }]
}

/** Keeps an event that replaces no earlier one, if it fits. */
const single = (turn: Turn, event: ProviderRuntimeEvent): boolean => spend(turn, event, base + bytesOf(event))

/** Stores a written file or a problem, under its own limit: a flood of text hides none. */
const onRecord = (turn: Turn, event: ProviderRuntimeEvent): boolean => {
  const bytes = base + bytesOf(event)
  if (turn.spentOnRecords + bytes <= turn.most) {
    turn.spentOnRecords += bytes
    return true
  }
  leaveOut(turn, event, bytes)
  return false
}

const request = ({ allowed, leftOut, turn }: FloodGate, event: RequestEvent): boolean => {
  if (event.type === "approval.requested" && allowed.has(event.request.requestId)) {
    if (single(turn, event)) return true
    leftOut.add(event.request.requestId)
    return false
  }
  turn.spent += base + bytesOf(event.request)
  return true
}

const state = (turn: Turn, event: StateEvent): Events => {
  const before = turn.states.get(event.type)
  if (before !== undefined) leaveOut(turn, before, base + bytesOf(before))
  turn.states.delete(event.type)
  const bytes = base + bytesOf(event)
  if (turn.spentOnStates + bytes <= turn.most) {
    turn.spentOnStates += bytes
    return [event]
  }
  turn.states.set(event.type, event)
  return note(turn)
}

/** Requests that opened and were answered by the settings or a rule in one batch: nobody was asked. */
const allowedAtOnce = (events: Events): ReadonlySet<RequestId> => {
  const ids = events.flatMap((event) =>
    event.type === "approval.resolved" && event.outcome.type === "answered" && event.outcome.by !== undefined
      ? [event.requestId]
      : []
  )
  return ids.length === 0 ? none : new Set(ids)
}

const none: ReadonlySet<RequestId> = new Set()

const bytesOf = (value: unknown): number => textsIn(value, (text) => Buffer.byteLength(text))
