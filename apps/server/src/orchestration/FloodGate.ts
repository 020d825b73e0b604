/**
 * Keeps what one turn of an agent stores within a limit. What is beyond is left out, and an entry in its place says how much that was
 * and where the tape has it. The agent is still read, and its turn goes on to its end. One gate for each thread; synchronous.
 *
 * Counted are the bytes of all texts that stay: of a tool call that is told again only as it is now. Requests and ends pass always: people
 * have to answer and to know. Plans, settings and their kind have a limit of their own, of the same size, so that a flood of text hides
 * none; beyond it the latest of each kind comes at the end. A history that a session tells again counts as a turn of its own.
 */
import type { EventId, ItemId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { textsIn } from "../TextsIn.ts"
import { mebibyte } from "./TurnLimit.ts"

export interface FloodGate {
  /** The events that are kept, with a word about those that are not. Each event of the thread once, in order. */
  readonly pass: (events: ReadonlyArray<ProviderRuntimeEvent>) => ReadonlyArray<ProviderRuntimeEvent>
}

/** What of a turn was left out. */
interface LeftOut {
  /** In whose place the entry stands. */
  readonly first: ProviderRuntimeEvent
  bytes: number
  /** Bytes of which people were told. */
  told: number
  fromLine: number | undefined
  toLine: number | undefined
  /** Something of it is on no tape. */
  untaped: boolean
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
  /** Those that wait for the end. */
  let states = new Map<StateEvent["type"], StateEvent>()
  let left: LeftOut | undefined
  /** What the latest state of an entry that is told whole counts with. */
  let counted = new Map<ItemId, number>()
  /** Calls that may still change, as they were kept last. */
  let open = new Map<ItemId, ToolCall>()
  /** Texts of which not all was kept: how much was. */
  let cut = new Map<ItemId, number>()

  const begin = (): void => {
    most = limit()
    spent = 0
    spentOnStates = 0
    states = new Map()
    left = undefined
    counted = new Map()
    open = new Map()
    cut = new Map()
  }

  const fits = (bytes: number): boolean => left === undefined && spent + bytes <= most

  const leaveOut = (event: ProviderRuntimeEvent, bytes: number): void => {
    left ??= { first: event, bytes: 0, told: 0, fromLine: undefined, toLine: undefined, untaped: false }
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

  const text = (event: RuntimeEventOf<"message.delta" | "thought.delta">): boolean => {
    const bytes = Buffer.byteLength(event.text) + (event.offset === 0 ? base : 0)
    if (fits(bytes)) {
      spent += bytes
      return true
    }
    if (!cut.has(event.itemId)) cut.set(event.itemId, event.offset)
    leaveOut(event, bytes)
    return false
  }

  const textEnd = (
    event: RuntimeEventOf<"message.completed" | "thought.completed">
  ): ReadonlyArray<ProviderRuntimeEvent> => {
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

  /** Before the end of the turn. */
  const lastStates = (): ReadonlyArray<ProviderRuntimeEvent> => {
    const last = [...states.values()]
    states = new Map()
    return last
  }

  const take = (event: ProviderRuntimeEvent): ReadonlyArray<ProviderRuntimeEvent> => {
    switch (event.type) {
      case "turn.started":
      case "session.started":
        return [...lastStates(), ...tell(true), ...(begin(), [event])]
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
      case "prompt.replayed":
      case "protocol.unknown":
      case "file.generated":
      case "runtime.warning":
        return single(event) ? [event] : tell(false)
      case "turn.completed":
      case "session.exited":
        return [...lastStates(), ...tell(true), event]
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
        spent += base + bytesOf(event.request)
        return [event]
      case "approval.resolved":
      case "question.resolved":
      case "plan.resolved":
      case "elicitation.resolved":
      case "elicitation.completed":
      case "session.configured":
      case "file.written":
      case "runtime.error":
        return [event]
    }
  }

  /** `atOnce`: the turn is over. */
  const tell = (atOnce: boolean): ReadonlyArray<ProviderRuntimeEvent> => {
    if (left === undefined) return []
    if (!atOnce && left.told > 0 && left.bytes - left.told < tellEvery) return []
    left.told = left.bytes
    return [entryOf(left, most, atOnce)]
  }

  return { pass: (events) => events.flatMap(take) }
}

/** `over`: nothing more is left out. What a crash leaves behind must be true, too. */
const entryOf = (
  { bytes, first, fromLine, toLine, untaped }: LeftOut,
  limit: number,
  over: boolean
): ProviderRuntimeEvent => {
  const { at, providerKind, providerSessionId, tapeLine, threadId } = first
  const eventId: EventId = first.eventId
  return {
    type: "runtime.warning",
    eventId,
    providerKind,
    providerSessionId,
    threadId,
    at,
    ...(tapeLine !== undefined && { tapeLine }),
    ...("turnId" in first && first.turnId !== undefined && { turnId: first.turnId }),
    ...("late" in first && first.late && { late: first.late }),
    ...("replayed" in first && first.replayed && { replayed: first.replayed }),
    message: over
      ? `${size(bytes)} of what the agent sent are left out here.`
      : `More than ${size(bytes)} of what the agent sends are left out here.`,
    detail: `Signalbox keeps ${size(limit)} of a turn; "turnLimitMiB" in settings.json changes that. The agent goes on. ${whereTaped(fromLine, toLine, untaped)}`
  }
}

/** Tapes are bounded, too: what lines they have now may go later. */
const whereTaped = (from: number | undefined, to: number | undefined, untaped: boolean): string => {
  if (from === undefined || to === undefined) return "No tape has it."
  const lines = `The tape of this session has it from line ${figure(from)} to line ${figure(to)}`
  return untaped ? `${lines}, but not all of it.` : `${lines}, as long as that part of it is kept.`
}

const grouped = new Intl.NumberFormat("en-GB")
const figure = (amount: number): string => grouped.format(amount)
const size = (bytes: number): string =>
  bytes < mebibyte
    ? `${figure(Math.ceil(bytes / 1024))} KiB`
    : `${(bytes / mebibyte).toFixed(1).replace(/\.0$/, "")} MiB`

const bytesOf = (value: unknown): number => textsIn(value, (text) => Buffer.byteLength(text))
