/**
 * Collects what the projection of one session reports: events get their stamp here, and adjacent pieces of one text become one event.
 * Synchronous: its driver takes the events when a chunk is done.
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
  /** Stamps whatever follows; milliseconds since 1970. */
  readonly setTime: (at: number) => void
  /** `line` is the number of the message on the wire. */
  readonly push: (draft: EventDraft, line?: number) => void
  /** A piece of streamed text at `offset` of its item. */
  readonly text: (
    type: "message.delta" | "thought.delta",
    place: Place,
    itemId: ItemId,
    offset: number,
    text: string,
    line?: number
  ) => void
  /** The end of an item of text that is `length` long. `continued`: the next item goes on with it. */
  readonly textEnd: (
    type: "message.completed" | "thought.completed",
    place: Place,
    itemId: ItemId,
    length: number,
    line?: number,
    continued?: true
  ) => void
  /** How often the agent has said or done something that people see, up to now. */
  readonly deeds: () => number
  /** What has come together, in order; the sink is empty afterwards. */
  readonly take: () => ReadonlyArray<ProviderRuntimeEvent>
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

/** `tapeLine` turns a line on the wire into a line of the tape; `tidy` sees every event before anybody else, except for text. */
export const make = (
  source: EventSource,
  tapeLine: (line: number) => number | undefined,
  tidy: (draft: EventDraft) => EventDraft = (draft) => draft
): EventSink => {
  const { providerKind, providerSessionId, threadId } = source
  const prefix = `${providerSessionId}:`
  let events: Array<ProviderRuntimeEvent> = []
  let at = 0
  let count = 0
  let deeds = 0
  let piece = ""
  /** All pieces, when there are more than one. */
  let pieces: Array<string> = []
  let open: { type: "message.delta" | "thought.delta"; place: Place; itemId: ItemId; offset: number } | undefined
  let openLine: number | undefined

  const stampOf = (place: Place) => ({ ...place, providerKind, providerSessionId, threadId })
  let stampedPlace: Place = {}
  let stamp = stampOf(stampedPlace)

  /** What all text of a place has in common: thousands of events begin with it, so that it is put together once. */
  const commonOf = (place: Place) => {
    if (place !== stampedPlace) {
      stampedPlace = place
      stamp = stampOf(place)
    }
    return stamp
  }

  const nextId = () => {
    count += 1
    return eventId(prefix + count)
  }

  const put = (event: ProviderRuntimeEvent, line: number | undefined) => {
    const taped = line === undefined ? undefined : tapeLine(line)
    if (taped !== undefined) {
      // Written into the event, which nobody else has seen yet: a copy would cost as much as the event.
      const unseen: { tapeLine?: number } = event
      unseen.tapeLine = taped
    }
    events.push(event)
  }

  const close = () => {
    if (open === undefined) return
    const { itemId, offset, place, type } = open
    open = undefined
    const text = pieces.length === 0 ? piece : pieces.join("")
    piece = ""
    if (pieces.length > 0) pieces = []
    put({ ...commonOf(place), type, itemId, offset, text, eventId: nextId(), at }, openLine)
  }

  return {
    setTime: (time) => {
      at = time
    },
    push: (draft, line) => {
      close()
      // A warning about a line is one that the agent has given.
      if (!noDeed.has(draft.type) || (draft.type === "runtime.warning" && line !== undefined)) deeds += 1
      put({ ...tidy(draft), eventId: nextId(), providerKind, providerSessionId, threadId, at }, line)
    },
    text: (type, place, itemId, offset, text, line) => {
      if (open === undefined || open.itemId !== itemId || open.place !== place) {
        close()
        deeds += 1
        open = { type, place, itemId, offset }
        openLine = line
        piece = text
        return
      }
      if (pieces.length === 0) pieces.push(piece)
      pieces.push(text)
    },
    textEnd: (type, place, itemId, length, line, continued) => {
      close()
      put({ ...commonOf(place), type, itemId, length, ...(continued && { continued }), eventId: nextId(), at }, line)
    },
    deeds: () => deeds,
    take: () => {
      close()
      const taken = events
      events = []
      return taken
    }
  }
}
