/**
 * The items of streamed text; one is open at a time. A long text takes several items, so the cost of an item does not
 * grow with the text. Offsets count UTF-16 units.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ItemId } from "@signalbox/contracts/Ids"
import * as EventSink from "./EventSink.ts"
import * as Retries from "./Retries.ts"
import { endOfPiece, longestPiece } from "./TextPieces.ts"

export type TextKind = "message" | "thought"

/** The open item of text. */
interface Run {
  readonly kind: TextKind
  readonly itemId: ItemId
  readonly messageId: string | undefined
  length: number
  /** The number of pieces that came with its message id. */
  identified: number
  /** The last character of its text. */
  last: string
  /** Characters of the attachments. */
  attached: number
  /** Whether the next piece begins another item. */
  full: boolean
}

/** Most characters of the last message that are kept, to recognise errors that agents send as text. */
const maxKept = 256 * 1024

/** Characters that an attachment counts beside its data. */
const attachedBase = 1024

/** State that this file reads and changes. */
export interface State {
  /** The beginning of the items' ids. */
  readonly key: string
  run: Run | undefined
  messages: number
  thoughts: number
  /** The text of the last message. Undefined if it is too long to be anything but prose. */
  lastText: string | undefined
  /** The items of the last message. */
  lastRuns: Array<Run>
  /** How the last message relates to the attempts before it. */
  lastIs: "message" | "a part of an attempt" | "a note" | "settled"
  readonly retries: Retries.Retries
}

export const make = (key: string): State => ({
  key,
  run: undefined,
  messages: 0,
  thoughts: 0,
  lastText: "",
  lastRuns: [],
  lastIs: "settled",
  retries: Retries.make()
})

/** The id of the next message item. */
export const nextMessage = (state: State): ItemId => EventSink.itemIdOf(nameOf(state, "message", state.messages + 1))

/** Ends the last message for the detection of retries. */
export const settleAttempt = (state: State): void => {
  const { lastIs, lastRuns, lastText } = state
  state.lastIs = "settled"
  if (lastIs === "message" || lastIs === "a part of an attempt")
    Retries.ended(
      state.retries,
      lastText,
      () => lastRuns.map(({ itemId, length }) => ({ itemId, length })),
      lastIs === "a part of an attempt"
    )
}

/** Adds a piece of text to the open item, or to a new one. */
export const tell = (
  state: State,
  kind: TextKind,
  piece: string,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number
): void => {
  let run = runOf(state, kind, messageId, place, sink, line)
  if (messageId !== undefined) run.identified += 1
  if (kind === "message" && state.lastText !== undefined) {
    state.lastText = state.lastText.length + piece.length > maxKept ? undefined : state.lastText + piece
  }
  const type = kind === "message" ? "message.delta" : "thought.delta"
  if (run.full) run = nextOf(state, run, place, sink, line)
  let start = 0
  for (;;) {
    const until = endOfPiece(run, piece, start)
    if (until === undefined) break
    if (until > start) put(sink, type, place, run, piece.slice(start, until), line)
    start = until
    run.full = start === piece.length
    if (run.full) return
    run = nextOf(state, run, place, sink, line)
  }
  put(sink, type, place, run, start === 0 ? piece : piece.slice(start), line)
}

/** Adds content that is not text to the open message item, or to a new one. */
export const attach = (
  state: State,
  part: ContentPart,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line: number
): void => {
  let run = runOf(state, "message", messageId, place, sink, line)
  if (run.full || run.attached >= longestPiece) run = nextOf(state, run, place, sink, line)
  run.attached += attachedBase + ("data" in part ? part.data.length : 0)
  EventSink.push(sink, { type: "message.content", ...place, itemId: run.itemId, content: part }, line)
}

const put = (
  sink: EventSink.EventSink,
  type: "message.delta" | "thought.delta",
  place: EventSink.Place,
  run: Run,
  piece: string,
  line?: number
): void => {
  EventSink.text(sink, type, place, run.itemId, run.length, piece, line)
  run.length += piece.length
  run.last = piece.charAt(piece.length - 1)
}

/** Ends the open item, if there is one. `continued`: the next item continues its text. */
export const end = (
  state: State,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number,
  continued?: true
): void => {
  const { run } = state
  if (run === undefined) return
  if (run.kind === "message" && continued === undefined) settleAttempt(state)
  state.run = undefined
  const type = run.kind === "message" ? "message.completed" : "thought.completed"
  EventSink.textEnd(sink, type, place, run.itemId, run.length, line, continued)
}

/** The item that continues a full one. */
const nextOf = (state: State, run: Run, place: EventSink.Place, sink: EventSink.EventSink, line?: number): Run => {
  end(state, place, sink, line, true)
  return begin(state, run.kind, run.messageId)
}

const runOf = (
  state: State,
  kind: TextKind,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number
): Run => {
  const open = state.run
  if (open !== undefined && open.kind === kind && isOf(open, messageId)) return open
  end(state, place, sink, line)
  if (kind === "message") {
    state.lastText = ""
    state.lastRuns = []
    state.lastIs = "message"
  }
  return begin(state, kind, messageId)
}

/**
 * Whether text belongs to the open item. Some agents send the id only with a message's first piece. After two pieces
 * with an id, text without one is another message.
 */
const isOf = (run: Run, messageId: string | undefined): boolean =>
  messageId === undefined ? run.identified < 2 : run.messageId === messageId

const begin = (state: State, kind: TextKind, messageId: string | undefined): Run => {
  const number = kind === "message" ? ++state.messages : ++state.thoughts
  const itemId = EventSink.itemIdOf(nameOf(state, kind, number))
  const run = { kind, itemId, messageId, length: 0, identified: 0, last: "", attached: 0, full: false }
  if (kind === "message") state.lastRuns.push(run)
  return (state.run = run)
}

const nameOf = ({ key }: State, kind: TextKind, number: number): string =>
  `${key}:${kind === "message" ? "assistant" : "thought"}${number === 1 ? "" : `:${number}`}`
