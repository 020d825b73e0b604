/**
 * Streamed text as items. Text of one kind goes on in one item until something else comes between: a tool call, text of the other kind, or a
 * new message id (ACP v1, prompt-turn). Offsets count UTF-16 units. A long text takes several items. So whatever holds, stores, sends or
 * shows an item costs the same, however long the text is.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ItemId } from "@signalbox/contracts/Ids"
import * as EventSink from "./EventSink.ts"
import * as RepeatedText from "./RepeatedText.ts"
import * as Retries from "./Retries.ts"
import { endOfPiece, longestPiece } from "./TextPieces.ts"

export type TextKind = "message" | "thought"

interface Run {
  readonly kind: TextKind
  readonly itemId: ItemId
  readonly messageId: string | undefined
  length: number
  /** Pieces of it that came with its id. */
  identified: number
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
  /** The watched text that holds something back. */
  holding: Watched | undefined
  /** The last run of message text; undefined when it is too long to be anything but prose. */
  lastText: string | undefined
  /** The items of that run. */
  lastRuns: Array<Run>
  readonly retries: Retries.Retries
  /** What the last run is to the attempts before it. */
  lastIs: "message" | "a part of an attempt" | "a note" | "settled"
}

/** `key` begins the ids of the items: the turn's id, or what stands for it. */
export const make = (key: string): TextState => ({
  key,
  run: undefined,
  messages: 0,
  thoughts: 0,
  watched: { message: undefined, thought: undefined },
  holding: undefined,
  lastText: "",
  lastRuns: [],
  retries: Retries.make(),
  lastIs: "settled"
})

/** A piece of text. Empty ones say nothing and start nothing. */
export const text = (
  state: TextState,
  kind: TextKind,
  piece: string,
  messageId: string | null | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line: number
): void => {
  if (piece === "") return
  const id = messageId ?? undefined
  if (kind === "thought") {
    if (state.retries.held !== undefined) releaseRetry(state, place, sink, line)
    if (state.run?.kind === "message") settleAttempt(state)
    Retries.thought(state.retries, id)
    tellOf(state, kind, piece, id, place, sink, line)
  } else if (id === undefined && state.run?.kind !== "thought" && isNote(state, piece)) {
    tellNote(state, piece, place, sink, line)
  } else tellOrHold(state, piece, id, place, sink, line)
}

/** Text as the agent means it: what repeats the same message is left out. */
const tellOf = (
  state: TextState,
  kind: TextKind,
  piece: string,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number
): void => {
  // Most agents give no ids, and text is what comes most often.
  if (messageId === undefined) {
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

/** A piece of a message; one that may be a retry is held back until that is known. */
const tellOrHold = (
  state: TextState,
  piece: string,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line: number
): void => {
  const { retries } = state
  if (retries.held !== undefined && retries.held.messageId !== messageId) releaseRetry(state, place, sink, line)
  if (retries.held === undefined && begins(state, messageId)) {
    if (state.run?.kind === "message") settleAttempt(state)
    Retries.begin(retries, messageId)
  }
  const { held } = retries
  if (held === undefined) return tellOf(state, "message", piece, messageId, place, sink, line)
  const told = Retries.take(retries, held, piece)
  if (told === undefined) return
  const by = EventSink.itemIdOf(nameOf(state, "message", state.messages + 1))
  for (const { items } of told.of) {
    let length = 0
    for (const item of items) {
      length += item.length
      EventSink.push(sink, { type: "message.retried", ...place, itemId: item.itemId, by, length }, line)
    }
  }
  tellOf(state, "message", told.text, messageId, place, sink, line)
  if (state.run !== undefined && messageId !== undefined) state.run.identified += told.pieces - 1
}

/** Whether a piece is the first of a message, as far as that shows. */
const begins = ({ run, watched }: TextState, messageId: string | undefined): boolean =>
  messageId === undefined ? run === undefined : watched.message?.messageId !== messageId

const isNote = ({ lastRuns, retries }: TextState, piece: string): boolean =>
  Retries.isNote(piece, lastRuns.at(-1)?.last ?? "", retries)

/** A note has an entry of its own. */
const tellNote = (
  state: TextState,
  piece: string,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line: number
): void => {
  end(state, place, sink, line, "keep")
  state.retries.noted = true
  tell(state, "message", piece, undefined, place, sink, line)
  state.lastIs = "a note"
  endRun(state, place, sink, line)
}

/** The last message is over, as far as a retry of it is concerned. */
const settleAttempt = (state: TextState): void => {
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

/** Tells what may have been a retry, and ended before it had caught up. */
const releaseRetry = (state: TextState, place: EventSink.Place, sink: EventSink.EventSink, line?: number): void => {
  const { messageId, text } = Retries.release(state.retries)
  if (text === "") return
  tellOf(state, "message", text, messageId, place, sink, line)
  state.lastIs = "a part of an attempt"
}

/** A piece of a message that is not text. */
export const content = (
  state: TextState,
  part: ContentPart,
  messageId: string | null | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line: number
): void => {
  release(state, place, sink, line)
  let run = runOf(state, "message", messageId ?? undefined, place, sink, line)
  if (run.full || run.attached >= longestPiece) run = nextOf(state, run, place, sink, line)
  run.attached += attachedBase + ("data" in part ? part.data.length : 0)
  EventSink.push(sink, { type: "message.content", ...place, itemId: run.itemId, content: part }, line)
}

/** Ends the open item, if there is one. What comes then is no retry of it, unless attempts are kept. */
export const end = (
  state: TextState,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number,
  attempts?: "keep"
): void => {
  release(state, place, sink, line)
  endRun(state, place, sink, line)
  if (attempts === undefined) Retries.forget(state.retries)
}

/** Leaves the open item as it is: it was cut off, and no end of it is told. */
export const leave = (state: TextState, place: EventSink.Place, sink: EventSink.EventSink, line?: number): void => {
  release(state, place, sink, line)
  state.run = undefined
}

/** Tells what was held back: it was no repetition, or not all of one. */
const release = (state: TextState, place: EventSink.Place, sink: EventSink.EventSink, line?: number): void => {
  if (state.retries.held !== undefined) releaseRetry(state, place, sink, line)
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

const endRun = (
  state: TextState,
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

/** The item in which a run goes on that is full. */
const nextOf = (state: TextState, run: Run, place: EventSink.Place, sink: EventSink.EventSink, line?: number): Run => {
  endRun(state, place, sink, line, true)
  return begin(state, run.kind, run.messageId)
}

const runOf = (
  state: TextState,
  kind: TextKind,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number
): Run => {
  const open = state.run
  if (open !== undefined && open.kind === kind && isOf(open, messageId)) return open
  endRun(state, place, sink, line)
  if (kind === "message") {
    state.lastText = ""
    state.lastRuns = []
    state.lastIs = "message"
  }
  return begin(state, kind, messageId)
}

/** Some agents name a message with its first piece only. Where more of them named it, one without a name is another message. */
const isOf = (run: Run, messageId: string | undefined): boolean =>
  messageId === undefined ? run.identified < 2 : run.messageId === messageId

const begin = (state: TextState, kind: TextKind, messageId: string | undefined): Run => {
  const number = kind === "message" ? ++state.messages : ++state.thoughts
  const itemId = EventSink.itemIdOf(nameOf(state, kind, number))
  const run = { kind, itemId, messageId, length: 0, identified: 0, last: "", attached: 0, full: false }
  if (kind === "message") state.lastRuns.push(run)
  return (state.run = run)
}

const nameOf = ({ key }: TextState, kind: TextKind, number: number): string =>
  `${key}:${kind === "message" ? "assistant" : "thought"}${number === 1 ? "" : `:${number}`}`
