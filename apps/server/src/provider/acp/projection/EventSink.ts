/**
 * Collects the events of one step of a session's projection. It stamps each event, and joins adjacent pieces of one
 * text. This is a mutable value; its one owner is the session's projection.
 */
import type { EventId, ItemId, ProviderSessionId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderKind } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Brand from "effect/Brand"
import type { EventDraft } from "../profile/EventDraft.ts"

// These ids are made of our own parts, so they need no check.
const eventId = Brand.nominal<EventId>()
export const itemIdOf = Brand.nominal<ItemId>()

/** What an item or a request belongs to. Compared by identity: one object as long as the place is unchanged. */
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
  /** The beginning of its events' ids. */
  readonly prefix: string
  /** Turns a line on the wire into a line of the tape. */
  readonly tapeLine: (line: number) => number | undefined
  /** Changes every event first, except text. */
  readonly tidy: (draft: EventDraft) => EventDraft
  /** The time of the step, which stamps its events: milliseconds since 1970. */
  at: number
  /** The number of events so far. */
  count: number
  /** The number of the agent's words and actions so far that people can see. */
  deeds: number
  events: Array<ProviderRuntimeEvent>
  /** The text that may still grow by the next piece. */
  open: OpenText | undefined
  /** The stamp for text of the latest place. */
  stamp: Stamp
}

interface OpenText {
  readonly type: "message.delta" | "thought.delta"
  readonly place: Place
  readonly itemId: ItemId
  readonly offset: number
  readonly line: number | undefined
  readonly first: string
  /** All pieces, if there is more than one. */
  pieces: Array<string> | undefined
}

/** The members that many events have in common, built once for each place. */
interface Stamp {
  readonly of: Place
  readonly common: Place & EventSource
}

/** Events that are neither a word nor an action of the agent: its settings, its cost, and our own notes. */
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
  // A warning with a line number comes from the agent.
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

/** Adds the end of a text item of `length` units. `continued`: the next item continues its text. */
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

/** Returns the collected events in order, and empties the sink. */
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
    // Writes into the event, since nobody else holds it yet and a copy would cost as much as the event.
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
