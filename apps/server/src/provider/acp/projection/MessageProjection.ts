/**
 * Text that an agent streams. Text of one kind goes on in one item until something else comes between: a tool call, text of the other kind,
 * or a new message id (ACP v1, prompt-turn). What repeats itself is left out, and what is tried again is told as that.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import * as EventSink from "./EventSink.ts"
import * as RepeatedText from "./RepeatedText.ts"
import * as Retries from "./Retries.ts"
import * as TextRuns from "./TextRuns.ts"

/** The latest text of a kind that has an id: the agent may begin it anew, also when something else came between. */
interface Watched {
  readonly kind: TextRuns.TextKind
  readonly messageId: string
  readonly text: RepeatedText.RepeatedText
}

export interface TextState extends TextRuns.State {
  readonly watched: { message: Watched | undefined; thought: Watched | undefined }
  /** The watched text that holds something back. */
  holding: Watched | undefined
}

/** `key` begins the ids of the items: the turn's id, or what stands for it. */
export const make = (key: string): TextState => ({
  ...TextRuns.make(key),
  watched: { message: undefined, thought: undefined },
  holding: undefined
})

/** A piece of text. Empty ones say nothing and start nothing. */
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

/** Text as the agent means it: what repeats the same message is left out. */
const tellOf = (
  state: TextState,
  kind: TextRuns.TextKind,
  piece: string,
  messageId: string | undefined,
  place: EventSink.Place,
  sink: EventSink.EventSink,
  line?: number
): void => {
  // Most agents give no ids, and text is what comes most often.
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
  TextRuns.tell(state, "message", piece, undefined, place, sink, line)
  state.lastIs = "a note"
  TextRuns.end(state, place, sink, line)
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
  TextRuns.attach(state, part, messageId ?? undefined, place, sink, line)
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
  TextRuns.end(state, place, sink, line)
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
  TextRuns.tell(state, holding.kind, RepeatedText.rest(holding.text), holding.messageId, place, sink, line)
}

const watchedOf = (state: TextState, kind: TextRuns.TextKind, messageId: string): Watched => {
  const known = state.watched[kind]
  if (known?.messageId === messageId) return known
  return (state.watched[kind] = { kind, messageId, text: RepeatedText.make() })
}
