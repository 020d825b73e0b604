/**
 * Streamed text as items. Text of one kind goes on in one item until something else comes between: a tool call, text of the
 * other kind, or a new message id (ACP v1, prompt-turn). Offsets count UTF-16 units. A long text takes several items, so that
 * whatever holds, stores, sends or shows an item costs the same, however long the text is.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ItemId } from "@signalbox/contracts/Ids"
import { type EventSink, itemIdOf, type Place } from "./EventSink.ts"
import * as RepeatedText from "./RepeatedText.ts"
import { endOfPiece, longestPiece } from "./TextPieces.ts"

export type TextKind = "message" | "thought"

interface Run {
  readonly kind: TextKind
  readonly itemId: ItemId
  readonly messageId: string | undefined
  length: number
  /** The last character of its text. */
  last: string
  /** Characters of what it holds beside its text. */
  attached: number
  /** What comes next of its text begins another item. */
  full: boolean
}

/** The latest text of a kind that has an id: the agent may begin it anew, also when something else came between. */
interface Watched {
  readonly kind: TextKind
  readonly messageId: string
  readonly text: RepeatedText.RepeatedText
}

/** Characters kept of the last message, for recognising errors that are sent as text. */
const maxKept = 256 * 1024

/** What an attachment weighs beside its data. */
const attachedBase = 1024

export interface TextState {
  readonly key: string
  run: Run | undefined
  messages: number
  thoughts: number
  readonly watched: { message: Watched | undefined; thought: Watched | undefined }
  /** Of what is watched, what holds something back. */
  holding: Watched | undefined
  /** The last run of message text; undefined when it is too long to be anything but prose. */
  lastText: string | undefined
}

/** `key` begins the ids of the items: the turn's id, or what stands for it. */
export const make = (key: string): TextState => ({
  key,
  run: undefined,
  messages: 0,
  thoughts: 0,
  watched: { message: undefined, thought: undefined },
  holding: undefined,
  lastText: ""
})

/** A piece of text. Empty ones say nothing and start nothing. */
export const text = (
  state: TextState,
  kind: TextKind,
  piece: string,
  messageId: string | null | undefined,
  place: Place,
  sink: EventSink,
  line: number
): void => {
  if (piece === "") return
  // Most agents give no ids, and text is what comes most often.
  if (messageId === undefined || messageId === null) {
    if (state.holding !== undefined) release(state, place, sink, line)
    tell(state, kind, piece, undefined, place, sink, line)
    return
  }
  const watched = watchedOf(state, kind, messageId)
  if (state.holding !== undefined && state.holding !== watched) release(state, place, sink, line)
  const fresh = RepeatedText.take(watched.text, piece)
  state.holding = watched.text.held === "" ? undefined : watched
  if (fresh !== "") tell(state, kind, fresh, messageId, place, sink, line)
}

/** A piece of a message that is not text. */
export const content = (
  state: TextState,
  part: ContentPart,
  messageId: string | null | undefined,
  place: Place,
  sink: EventSink,
  line: number
): void => {
  release(state, place, sink, line)
  let run = runOf(state, "message", messageId ?? undefined, place, sink, line)
  if (run.full || run.attached >= longestPiece) run = nextOf(state, run, place, sink, line)
  run.attached += attachedBase + ("data" in part ? part.data.length : 0)
  sink.push({ type: "message.content", ...place, itemId: run.itemId, content: part }, line)
}

/** Ends the open item, if there is one. */
export const end = (state: TextState, place: Place, sink: EventSink, line?: number): void => {
  release(state, place, sink, line)
  endRun(state, place, sink, line)
}

/** Leaves the open item as it is: it was cut off, and no end of it is told. */
export const leave = (state: TextState, place: Place, sink: EventSink, line?: number): void => {
  release(state, place, sink, line)
  state.run = undefined
}

/** Tells what was held back: it was no repetition, or not all of one. */
const release = (state: TextState, place: Place, sink: EventSink, line?: number): void => {
  const { holding } = state
  if (holding === undefined) return
  state.holding = undefined
  tell(state, holding.kind, RepeatedText.rest(holding.text), holding.messageId, place, sink, line)
}

const watchedOf = (state: TextState, kind: TextKind, messageId: string): Watched => {
  const known = state.watched[kind]
  if (known?.messageId === messageId) return known
  return (state.watched[kind] = { kind, messageId, text: RepeatedText.make() })
}

const tell = (
  state: TextState,
  kind: TextKind,
  piece: string,
  messageId: string | undefined,
  place: Place,
  sink: EventSink,
  line?: number
): void => {
  let run = runOf(state, kind, messageId, place, sink, line)
  if (kind === "message" && state.lastText !== undefined) {
    state.lastText = state.lastText.length + piece.length > maxKept ? undefined : state.lastText + piece
  }
  const type = kind === "message" ? "message.delta" : "thought.delta"
  if (run.full) run = nextOf(state, run, place, sink, line)
  let start = 0
  for (;;) {
    const end = endOfPiece(run, piece, start)
    if (end === undefined) break
    if (end > start) put(sink, type, place, run, piece.slice(start, end), line)
    start = end
    run.full = start === piece.length
    if (run.full) return
    run = nextOf(state, run, place, sink, line)
  }
  put(sink, type, place, run, start === 0 ? piece : piece.slice(start), line)
}

const put = (
  sink: EventSink,
  type: "message.delta" | "thought.delta",
  place: Place,
  run: Run,
  piece: string,
  line?: number
): void => {
  sink.text(type, place, run.itemId, run.length, piece, line)
  run.length += piece.length
  run.last = piece.charAt(piece.length - 1)
}

const endRun = (state: TextState, place: Place, sink: EventSink, line?: number, continued?: true): void => {
  const { run } = state
  if (run === undefined) return
  state.run = undefined
  const type = run.kind === "message" ? "message.completed" : "thought.completed"
  sink.textEnd(type, place, run.itemId, run.length, line, continued)
}

/** The item in which a run goes on that is full. */
const nextOf = (state: TextState, run: Run, place: Place, sink: EventSink, line?: number): Run => {
  endRun(state, place, sink, line, true)
  return begin(state, run.kind, run.messageId)
}

const runOf = (
  state: TextState,
  kind: TextKind,
  messageId: string | undefined,
  place: Place,
  sink: EventSink,
  line?: number
): Run => {
  const open = state.run
  if (open !== undefined && open.kind === kind && (messageId === undefined || open.messageId === messageId)) return open
  endRun(state, place, sink, line)
  if (kind === "message") state.lastText = ""
  return begin(state, kind, messageId)
}

const begin = (state: TextState, kind: TextKind, messageId: string | undefined): Run => {
  const number = kind === "message" ? ++state.messages : ++state.thoughts
  const name = kind === "message" ? "assistant" : "thought"
  const itemId = itemIdOf(`${state.key}:${name}${number === 1 ? "" : `:${number}`}`)
  return (state.run = { kind, itemId, messageId, length: 0, last: "", attached: 0, full: false })
}
