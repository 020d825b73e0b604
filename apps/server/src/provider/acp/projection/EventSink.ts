/**
 * The events that come of one step of a session's projection: each gets its stamp here, and adjacent pieces of one text become one event.
 * A value that the functions of this file change. It has one owner, the projection of its session.
 */
import type { EventId, ItemId, ProviderSessionId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderKind } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Brand from "effect/Brand"
import type { EventDraft } from "../profile/EventDraft.ts"

// Made of our own parts, there is nothing to check.
const eventId = Brand.nominal<EventId>()
export const itemIdOf = Brand.nominal<ItemId>()

/** What an item or a request belongs to. The same object as long as it means the same. */
export interface Place {
  readonly turnId?: TurnId
  readonly late?: true
  readonly replayed?: true
}

export interface EventSource {
  readonly providerKind: ProviderKind
  readonly providerSessionId: ProviderSessionId
  readonly threadId: ThreadId
}

export interface EventSink {
  readonly source: EventSource
  /** Begins the ids of its events. */
  readonly prefix: string
  /** Turns a line on the wire into a line of the tape. */
  readonly tapeLine: (line: number) => number | undefined
  /** Sees every event before anybody else, except for text. */
  readonly tidy: (draft: EventDraft) => EventDraft
  /** The time of the step, which stamps its events: milliseconds since 1970. */
  at: number
  /** How many events there were. */
  count: number
  /** How often the agent has said or done something that people see, up to now. */
  deeds: number
  events: Array<ProviderRuntimeEvent>
  /** The text that may still grow by the next piece. */
  open: OpenText | undefined
  /** What all text of the latest place begins with. */
  stamp: Stamp
}

interface OpenText {
  readonly type: "message.delta" | "thought.delta"
  readonly place: Place
  readonly itemId: ItemId
  readonly offset: number
  readonly line: number | undefined
  readonly first: string
  /** All pieces, when there are more than one. */
  pieces: Array<string> | undefined
}

/** What thousands of events begin with, so that it is put together once for each place. */
interface Stamp {
  readonly of: Place
  readonly common: Place & EventSource
}

/** What tells of no word and no deed of an agent: what it is like, what it costs, and what we ourselves have to say. */
const noDeed: ReadonlySet<EventDraft["type"]> = new Set([
  "session.started",
  "session.configured",
  "session.exited",
  "session.info.updated",
  "commands.updated",
  "settings.updated",
  "usage.updated",
  "turn.started",
  "turn.completed",
  "prompt.replayed",
  "runtime.error",
  "runtime.warning"
])

export const make = (
  source: EventSource,
  tapeLine: EventSink["tapeLine"],
  tidy: EventSink["tidy"] = (draft) => draft
): EventSink => ({
  source,
  prefix: `${source.providerSessionId}:`,
  tapeLine,
  tidy,
  at: 0,
  count: 0,
  deeds: 0,
  events: [],
  open: undefined,
  stamp: stampOf(source, {})
})

/** Adds an event. `line` is the number of the message on the wire. */
export const push = (sink: EventSink, draft: EventDraft, line?: number): void => {
  close(sink)
  // A warning about a line is one that the agent has given.
  if (!noDeed.has(draft.type) || (draft.type === "runtime.warning" && line !== undefined)) sink.deeds += 1
  const { providerKind, providerSessionId, threadId } = sink.source
  put(
    sink,
    { ...sink.tidy(draft), eventId: nextId(sink), providerKind, providerSessionId, threadId, at: sink.at },
    line
  )
}

/** Adds a piece of streamed text at `offset` of its item. */
export const text = (
  sink: EventSink,
  type: OpenText["type"],
  place: Place,
  itemId: ItemId,
  offset: number,
  piece: string,
  line?: number
): void => {
  const { open } = sink
  if (open === undefined || open.itemId !== itemId || open.place !== place) {
    close(sink)
    sink.deeds += 1
    sink.open = { type, place, itemId, offset, line, first: piece, pieces: undefined }
  } else if (open.pieces === undefined) open.pieces = [open.first, piece]
  else open.pieces.push(piece)
}

/** Adds the end of an item of text that is `length` long. `continued`: the next item goes on with it. */
export const textEnd = (
  sink: EventSink,
  type: "message.completed" | "thought.completed",
  place: Place,
  itemId: ItemId,
  length: number,
  line?: number,
  continued?: true
): void => {
  close(sink)
  const eventId = nextId(sink)
  put(
    sink,
    { ...commonOf(sink, place), type, itemId, length, ...(continued && { continued }), eventId, at: sink.at },
    line
  )
}

/** Takes what has come together, in order; the sink is empty afterwards. */
export const take = (sink: EventSink): ReadonlyArray<ProviderRuntimeEvent> => {
  close(sink)
  const { events } = sink
  sink.events = []
  return events
}

const close = (sink: EventSink): void => {
  const { open } = sink
  if (open === undefined) return
  sink.open = undefined
  const { first, itemId, line, offset, pieces, place, type } = open
  const text = pieces === undefined ? first : pieces.join("")
  put(sink, { ...commonOf(sink, place), type, itemId, offset, text, eventId: nextId(sink), at: sink.at }, line)
}

const put = ({ events, tapeLine }: EventSink, event: ProviderRuntimeEvent, line: number | undefined): void => {
  const taped = line === undefined ? undefined : tapeLine(line)
  if (taped !== undefined) {
    // Written into the event, which nobody else has seen yet: a copy would cost as much as the event.
    const unseen: { tapeLine?: number } = event
    unseen.tapeLine = taped
  }
  events.push(event)
}

const commonOf = (sink: EventSink, place: Place): Stamp["common"] => {
  if (place !== sink.stamp.of) sink.stamp = stampOf(sink.source, place)
  return sink.stamp.common
}

const stampOf = ({ providerKind, providerSessionId, threadId }: EventSource, place: Place): Stamp => ({
  of: place,
  common: { ...place, providerKind, providerSessionId, threadId }
})

const nextId = (sink: EventSink): EventId => {
  sink.count += 1
  return eventId(sink.prefix + sink.count)
}
