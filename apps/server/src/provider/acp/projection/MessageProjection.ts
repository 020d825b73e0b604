/**
 * Text that an agent streams. One item takes text of one kind. Another entry ends it, another kind of text, or a new
 * message id (ACP v1, prompt-turn). Entries are calls, requests, files, sub-agents and compactions. Repetitions are
 * left out, and retries are marked as such.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import * as EventSink from "./EventSink.ts"
import * as RepeatedText from "./RepeatedText.ts"
import * as Retries from "./Retries.ts"
import * as TextRuns from "./TextRuns.ts"

/**
 * The latest text with a message id, for one kind. The agent may send it again from its beginning, even after other
 * updates.
 */
interface Watched {
  readonly kind: TextRuns.TextKind
  readonly messageId: string
  readonly text: RepeatedText.RepeatedText
}

export interface TextState extends TextRuns.State {
  readonly watched: { message: Watched | undefined; thought: Watched | undefined }
  /** The watched text that holds back a possible repetition. */
  holding: Watched | undefined
}

/** Makes the state of one strand's text. `key` begins the item ids: the turn's id, or its stand-in. */
export const make = (key: string): TextState => ({
  ...TextRuns.make(key),
  watched: { message: undefined, thought: undefined },
  holding: undefined
})

/** Adds a piece of text. An empty piece does nothing. */
export const text = (
  state: TextState,
  kind: TextRuns.TextKind,
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
    if (state.run?.kind === "message") TextRuns.settleAttempt(state)
    Retries.thought(state.retries, id)
    tellOf(state, kind, piece, id, place, sink, line)
  } else if (id === undefined && state.run?.kind !== "thought" && isNote(state, piece)) {
    tellNote(state, piece, place, sink, line)
  } else tellOrHold(state, piece, id, place, sink, line)
}

/** Adds text to the transcript, without repetitions of the message with this id. */
const tellOf = (
  state: TextState,
  kind: TextRuns.TextKind,
  piece: string,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number
): void => {
  // This path is first since most agents send no ids, and text is the most frequent update.
  if (messageId === undefined) {
    if (state.holding !== undefined) release(state, place, sink, line)
    TextRuns.tell(state, kind, piece, undefined, place, sink, line)
    return
  }
  const watched = watchedOf(state, kind, messageId)
  if (state.holding !== undefined && state.holding !== watched) release(state, place, sink, line)
  const fresh = RepeatedText.take(watched.text, piece)
  state.holding = watched.text.held === "" ? undefined : watched
  if (fresh !== "") TextRuns.tell(state, kind, fresh, messageId, place, sink, line)
}

/** Adds a piece of a message. A possible retry is held back until it is certain. */
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
    if (state.run?.kind === "message") TextRuns.settleAttempt(state)
    Retries.begin(retries, messageId)
  }
  const { held } = retries
  if (held === undefined) return tellOf(state, "message", piece, messageId, place, sink, line)
  const told = Retries.take(retries, held, piece)
  if (told === undefined) return
  const by = TextRuns.nextMessage(state)
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

/** Whether a piece is the first of its message, as far as the ids show it. */
const begins = ({ run, watched }: TextState, messageId: string | undefined): boolean =>
  messageId === undefined ? run === undefined : watched.message?.messageId !== messageId

const isNote = ({ lastRuns, retries }: TextState, piece: string): boolean =>
  Retries.isNote(piece, lastRuns.at(-1)?.last ?? "", retries)

/** Adds a note of the agent about its retries as an item of its own. */
const tellNote = (
  state: TextState,
  piece: string,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line: number
): void => {
  end(state, place, sink, line, "keep")
  state.retries.noted = true
  TextRuns.tell(state, "message", piece, undefined, place, sink, line)
  state.lastIs = "a note"
  TextRuns.end(state, place, sink, line)
}

/** Adds text that was held back as a possible retry, and ended too early to be one. */
const releaseRetry = (state: TextState, place: EventSink.Place, sink: EventSink.EventSink, line?: number): void => {
  const { messageId, text } = Retries.release(state.retries)
  if (text === "") return
  tellOf(state, "message", text, messageId, place, sink, line)
  state.lastIs = "a part of an attempt"
}

/** Adds a piece of a message that is not text. */
export const content = (
  state: TextState,
  part: ContentPart,
  messageId: string | null | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line: number
): void => {
  release(state, place, sink, line)
  TextRuns.attach(state, part, messageId ?? undefined, place, sink, line)
}

/** Ends the open item, if there is one. Later text is no retry of it, unless `attempts` is `keep`. */
export const end = (
  state: TextState,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number,
  attempts?: "keep"
): void => {
  release(state, place, sink, line)
  TextRuns.end(state, place, sink, line)
  if (attempts === undefined) Retries.forget(state.retries)
}

/** Leaves the open item without an end, since it was cut off. */
export const leave = (state: TextState, place: EventSink.Place, sink: EventSink.EventSink, line?: number): void => {
  release(state, place, sink, line)
  state.run = undefined
}

/** Adds text that was held back and is not a complete repetition. */
const release = (state: TextState, place: EventSink.Place, sink: EventSink.EventSink, line?: number): void => {
  if (state.retries.held !== undefined) releaseRetry(state, place, sink, line)
  const { holding } = state
  if (holding === undefined) return
  state.holding = undefined
  TextRuns.tell(state, holding.kind, RepeatedText.rest(holding.text), holding.messageId, place, sink, line)
}

const watchedOf = (state: TextState, kind: TextRuns.TextKind, messageId: string): Watched => {
  const known = state.watched[kind]
  if (known?.messageId === messageId) return known
  return (state.watched[kind] = { kind, messageId, text: RepeatedText.make() })
}
