/**
 * Streamed text as items. Text of one kind goes on in one item until something else comes between: a tool call, text of the
 * other kind, or a new message id (ACP v1, prompt-turn). Offsets count UTF-16 units.
 */
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ItemId } from "@signalbox/contracts/Ids"
import { type EventSink, itemIdOf, type Place } from "./EventSink.ts"

export type TextKind = "message" | "thought"

interface Run {
  readonly kind: TextKind
  readonly itemId: ItemId
  readonly messageId: string | undefined
  length: number
}

/** Characters kept of the last message, for recognising errors that are sent as text. */
const maxKept = 256 * 1024

export interface TextState {
  readonly key: string
  run: Run | undefined
  messages: number
  thoughts: number
  /** The last run of message text; undefined when it is too long to be anything but prose. */
  lastText: string | undefined
}

/** `key` begins the ids of the items: the turn's id, or what stands for it. */
export const make = (key: string): TextState => ({ key, run: undefined, messages: 0, thoughts: 0, lastText: "" })

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
  const run = runOf(state, kind, messageId ?? undefined, place, sink, line)
  if (kind === "message" && state.lastText !== undefined) {
    state.lastText = state.lastText.length + piece.length > maxKept ? undefined : state.lastText + piece
  }
  sink.text(kind === "message" ? "message.delta" : "thought.delta", place, run.itemId, run.length, piece, line)
  run.length += piece.length
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
  const run = runOf(state, "message", messageId ?? undefined, place, sink, line)
  sink.push({ type: "message.content", ...place, itemId: run.itemId, content: part }, line)
}

/** Ends the open item, if there is one. */
export const end = (state: TextState, place: Place, sink: EventSink, line?: number): void => {
  const { run } = state
  if (run === undefined) return
  state.run = undefined
  const type = run.kind === "message" ? "message.completed" : "thought.completed"
  sink.textEnd(type, place, run.itemId, run.length, line)
}

/** Leaves the open item as it is: it was cut off, and no end of it is told. */
export const leave = (state: TextState): void => {
  state.run = undefined
}

const runOf = (
  state: TextState,
  kind: TextKind,
  messageId: string | undefined,
  place: Place,
  sink: EventSink,
  line: number
): Run => {
  const open = state.run
  if (open !== undefined && open.kind === kind && (messageId === undefined || open.messageId === messageId)) return open
  end(state, place, sink, line)
  const number = kind === "message" ? ++state.messages : ++state.thoughts
  const name = kind === "message" ? "assistant" : "thought"
  const itemId = itemIdOf(`${state.key}:${name}${number === 1 ? "" : `:${number}`}`)
  if (kind === "message") state.lastText = ""
  return (state.run = { kind, itemId, messageId, length: 0 })
}
