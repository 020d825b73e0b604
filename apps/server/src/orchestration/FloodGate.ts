/**
 * Keeps what one turn of an agent stores within a limit. What is beyond is left out. An entry in its place says how much that was and where
 * the tape has it. The agent is still read, and its turn goes on to its end. One gate for each thread; synchronous.
 *
 * Counted are the bytes of all texts that stay: of a tool call that is told again only as it is now. Requests that people are asked pass
 * always, and so do ends: people have to answer and to know; `RequestLimit` bounds them. What the settings allowed at once counts as text.
 * Plans, settings and their kind have a limit of their own, of the same size. So a flood of text hides none; beyond it the latest of each
 * kind comes at the end. Files that were written and problems have one, too. A history that a session tells again counts as a turn.
 */
import type { ItemId, RequestId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { TextEnd, TextPiece } from "@signalbox/contracts/TextEvents"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { textsIn } from "../base/TextsIn.ts"
import * as FloodNote from "./FloodNote.ts"
import { mebibyte } from "./TurnLimit.ts"

export interface FloodGate {
  /** The events that are kept, with a word about those that are not. Each event of the thread once, in order. */
  readonly pass: (events: ReadonlyArray<ProviderRuntimeEvent>) => ReadonlyArray<ProviderRuntimeEvent>
}

/** Beside its texts: an entry costs something, however little it says. */
const base = 256
/** People are told anew when so much more was left out, and at the end. */
const tellEvery = 16 * mebibyte

/** What takes the place of the one before it. */
type StateEvent = RuntimeEventOf<
  "plan.updated" | "commands.updated" | "settings.updated" | "usage.updated" | "session.info.updated"
>

type ToolEvent = Extract<ProviderRuntimeEvent, { readonly tool: ToolCall }>

/** `limit`: bytes of one turn. */
export const make = (limit: () => number): FloodGate => {
  let most = limit()
  let spent = 0
  let spentOnStates = 0
  let spentOnRecords = 0
  /** Whether a turn runs. */
  let running = false
  /** Requests that the settings have allowed at once. */
  let allowed: ReadonlySet<RequestId> = none
  /** Those of them that were left out, until their end comes. */
  const leftOut = new Set<RequestId>()
  /** Those that wait for the end. */
  let states = new Map<StateEvent["type"], StateEvent>()
  let left: FloodNote.LeftOut | undefined
  /** What the latest state of an entry that is told whole counts with. */
  let counted = new Map<ItemId, number>()
  /** Calls that may still change, as they were kept last. */
  let open = new Map<ItemId, ToolCall>()
  /** Texts of which not all was kept: how much was. */
  let cut = new Map<ItemId, number>()

  const begin = (isTurn: boolean): void => {
    running = isTurn
    most = limit()
    spent = 0
    spentOnStates = 0
    spentOnRecords = 0
    states = new Map()
    left = undefined
    counted = new Map()
    open = new Map()
    cut = new Map()
  }

  const fits = (bytes: number): boolean => left === undefined && spent + bytes <= most

  const leaveOut = (event: ProviderRuntimeEvent, bytes: number): void => {
    left ??= { first: event, bytes: 0, told: 0, fromLine: undefined, toLine: undefined, untaped: false, settled: false }
    left.bytes += bytes
    left.fromLine ??= event.tapeLine
    if (event.tapeLine === undefined) left.untaped = true
    else left.toLine = event.tapeLine
  }

  /** An entry that is told whole each time. */
  const whole = (event: ProviderRuntimeEvent & { readonly itemId: ItemId }): boolean => {
    const bytes = base + bytesOf(event)
    const added = bytes - (counted.get(event.itemId) ?? 0)
    if (!fits(added)) {
      leaveOut(event, bytes)
      return false
    }
    spent += added
    counted.set(event.itemId, bytes)
    return true
  }

  const tool = (event: ToolEvent): ReadonlyArray<ProviderRuntimeEvent> => {
    const kept = whole(event)
    const isOver = event.type === "tool.completed"
    const before = open.get(event.itemId)
    if (isOver) open.delete(event.itemId)
    else if (kept) open.set(event.itemId, event.tool)
    if (kept) return [event]
    // How it ended is known all the same.
    if (before === undefined) return []
    const { endedAt, status } = event.tool
    const tool = { ...before, status, ...(endedAt !== undefined && { endedAt }) }
    if (!isOver) open.set(event.itemId, tool)
    return [{ ...event, tool }]
  }

  const text = (event: TextPiece): boolean => {
    const bytes = Buffer.byteLength(event.text) + (event.offset === 0 ? base : 0)
    if (fits(bytes)) {
      spent += bytes
      return true
    }
    if (!cut.has(event.itemId)) cut.set(event.itemId, event.offset)
    leaveOut(event, bytes)
    return false
  }

  const textEnd = (event: TextEnd): ReadonlyArray<ProviderRuntimeEvent> => {
    const length = cut.get(event.itemId)
    if (length === undefined) return [event]
    cut.delete(event.itemId)
    const { continued: _, ...end } = event
    return length === 0 ? [] : [{ ...end, length }]
  }

  /** What comes anew each time and replaces nothing. */
  const single = (event: ProviderRuntimeEvent): boolean => {
    const bytes = base + bytesOf(event)
    if (fits(bytes)) {
      spent += bytes
      return true
    }
    leaveOut(event, bytes)
    return false
  }

  /** What was done, and what went wrong: a flood of text hides none of it. */
  const onRecord = (event: ProviderRuntimeEvent): boolean => {
    const bytes = base + bytesOf(event)
    if (spentOnRecords + bytes <= most) {
      spentOnRecords += bytes
      return true
    }
    leaveOut(event, bytes)
    return false
  }

  const request = (
    event: RuntimeEventOf<
      "approval.requested" | "approval.changed" | "question.requested" | "plan.proposed" | "elicitation.requested"
    >
  ): boolean => {
    if (event.type === "approval.requested" && allowed.has(event.request.requestId)) {
      if (single(event)) return true
      leftOut.add(event.request.requestId)
      return false
    }
    spent += base + bytesOf(event.request)
    return true
  }

  const state = (event: StateEvent): ReadonlyArray<ProviderRuntimeEvent> => {
    const before = states.get(event.type)
    if (before !== undefined) leaveOut(before, base + bytesOf(before))
    states.delete(event.type)
    const bytes = base + bytesOf(event)
    if (spentOnStates + bytes <= most) {
      spentOnStates += bytes
      return [event]
    }
    states.set(event.type, event)
    return tell(false)
  }

  /** Before the end of the turn, and before what comes next. */
  const ending = (): ReadonlyArray<ProviderRuntimeEvent> => {
    running = false
    const last = [...states.values()]
    states = new Map()
    return [...last, ...tell(true)]
  }

  const take = (event: ProviderRuntimeEvent): ReadonlyArray<ProviderRuntimeEvent> => {
    switch (event.type) {
      case "turn.started":
      case "session.started":
        return [...ending(), ...(begin(event.type === "turn.started"), [event])]
      case "message.delta":
      case "thought.delta":
        return text(event) ? [event] : tell(false)
      case "message.completed":
      case "thought.completed":
        return textEnd(event)
      case "tool.started":
      case "tool.updated":
      case "tool.completed": {
        const kept = tool(event)
        return [...kept, ...tell(false)]
      }
      case "subagent.updated":
      case "compaction.updated":
        return whole(event) ? [event] : tell(false)
      case "message.content":
      case "message.retried":
      case "prompt.replayed":
      case "protocol.unknown":
      case "file.generated":
      case "runtime.warning":
        return single(event) ? [event] : tell(false)
      case "turn.completed":
      case "session.exited":
        return [...ending(), event]
      case "plan.updated":
      case "commands.updated":
      case "settings.updated":
      case "usage.updated":
      case "session.info.updated":
        return state(event)
      case "approval.requested":
      case "approval.changed":
      case "question.requested":
      case "plan.proposed":
      case "elicitation.requested":
        return request(event) ? [event] : tell(false)
      case "approval.resolved":
        // Left out with its request.
        return leftOut.delete(event.requestId) ? [] : [event]
      case "question.resolved":
      case "plan.resolved":
      case "elicitation.resolved":
      case "elicitation.completed":
      case "session.configured":
        return [event]
      case "file.written":
      case "runtime.error":
        return onRecord(event) ? [event] : tell(false)
    }
  }

  /** `atOnce`: the turn is over. */
  const tell = (atOnce: boolean): ReadonlyArray<ProviderRuntimeEvent> => {
    if (left === undefined) return []
    // A figure that was the last one, and is not any more, is taken back at once.
    const isFalse = left.settled && left.bytes > left.told
    if (!atOnce && !isFalse && left.told > 0 && left.bytes - left.told < tellEvery) return []
    left.told = left.bytes
    left.settled = atOnce
    return [FloodNote.entryOf(left, most, running)]
  }

  return {
    pass: (events) => {
      allowed = allowedAtOnce(events)
      return events.flatMap(take)
    }
  }
}

/** Requests that were asked and allowed by the settings in one breath: told together, nobody was asked. */
const allowedAtOnce = (events: ReadonlyArray<ProviderRuntimeEvent>): ReadonlySet<RequestId> => {
  const ids = events.flatMap((event) =>
    event.type === "approval.resolved" && event.outcome.type === "answered" && event.outcome.by === "settings"
      ? [event.requestId]
      : []
  )
  return ids.length === 0 ? none : new Set(ids)
}
const none: ReadonlySet<RequestId> = new Set()

const bytesOf = (value: unknown): number => textsIn(value, (text) => Buffer.byteLength(text))
