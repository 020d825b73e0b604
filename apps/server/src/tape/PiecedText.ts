/**
 * Messages come in pieces, and so do the secrets in them. What passes is kept back for as long as it may hold a part of a secret. It is
 * looked through together, and let go in its order.
 */
import * as Predicate from "effect/Predicate"
import type { Span } from "@signalbox/redaction/Spans"
import * as Spans from "@signalbox/redaction/Spans"

export interface PiecedText<A> {
  /** `message` is what `item` holds, if it is one. Returns what can go, each with its message as it may be passed on. */
  readonly push: (item: A, message: unknown) => ReadonlyArray<Passing<A>>
  /** What is left. */
  readonly end: () => ReadonlyArray<Passing<A>>
}

export interface Passing<A> {
  readonly item: A
  readonly message: unknown
}

interface Piece {
  /** Texts of one kind belong together. */
  readonly kind: string
  readonly text: string
  readonly withText: (text: string) => unknown
}

interface Held<A> {
  readonly item: A
  message: unknown
  piece: Piece | undefined
}

/** A line with its piece. */
interface Holding<A> {
  readonly line: Held<A>
  readonly piece: Piece
}

/** Characters; no secret is longer. As many stay held. */
const longest = 4_096
/** Looked through at once. */
const enough = 4 * longest
/** What is no text, and waits for text to go. */
const mostOthers = 4_096

/** `spansIn`: where secrets stand in a text, in order, none touching another. `onStep` hears of each line that is looked at. */
export const make = <A>(spansIn: (text: string) => ReadonlyArray<Span>, onStep?: () => void): PiecedText<A> => {
  let held: Array<Held<A>> = []
  let length = 0
  let others = 0

  /** What is held, by the kind of its text: one walk, however many kinds an agent makes up. */
  const byKind = (): ReadonlyMap<string, ReadonlyArray<Holding<A>>> => {
    const kinds = new Map<string, Array<Holding<A>>>()
    for (const line of held) {
      const { piece } = line
      onStep?.()
      if (piece === undefined) continue
      const ofKind = kinds.get(piece.kind)
      if (ofKind === undefined) kinds.set(piece.kind, [{ line, piece }])
      else ofKind.push({ line, piece })
    }
    return kinds
  }

  /** What reaches the end of all may go on: it is left for later, unless nothing comes any more. */
  const redact = (pieces: ReadonlyArray<Holding<A>>, last: boolean) => {
    const whole = pieces.map(({ piece }) => piece.text).join("")
    const spans = spansIn(whole).filter(({ end }) => last || end < whole.length)
    if (spans.length === 0) return
    const texts = Spans.withoutIn(
      pieces.map(({ piece }) => piece.text),
      spans
    )
    for (const [index, { line, piece }] of pieces.entries()) {
      const { [index]: text = "" } = texts
      if (text === piece.text) continue
      length += text.length - piece.text.length
      if (text === "") others += 1
      line.message = piece.withText(text)
      line.piece = { ...piece, text }
    }
  }

  const release = (last: boolean): ReadonlyArray<Passing<A>> => {
    for (const pieces of byKind().values()) redact(pieces, last)
    let count = 0
    const kept = last ? -1 : longest
    while (count < held.length && length > kept) {
      const size = held[count]?.piece?.text.length ?? 0
      length -= size
      if (size === 0) others -= 1
      count += 1
    }
    const gone = held.slice(0, count)
    held = held.slice(count)
    return gone
  }

  return {
    push: (item, message) => {
      const piece = pieceOf(message)
      if (held.length === 0 && piece === undefined) return [{ item, message }]
      held.push({ item, message, piece })
      const size = piece?.text.length ?? 0
      length += size
      if (size === 0) others += 1
      // No word goes on behind a request or an answer.
      if (others > mostOthers || (Predicate.isObject(message) && "id" in message)) return release(true)
      return length > enough ? release(false) : []
    },
    end: () => release(true)
  }
}

const pieceOf = (message: unknown): Piece | undefined => {
  if (!Predicate.isObject(message) || !Predicate.isObject(message["params"])) return undefined
  const { params } = message
  const { update } = params
  if (!Predicate.isObject(update)) return undefined
  const withUpdate = (other: object) => ({ ...message, params: { ...params, update: { ...update, ...other } } })
  return chunkOf(update, withUpdate) ?? printedOf(update, withUpdate)
}

type Update = Readonly<Record<PropertyKey, unknown>>
type WithUpdate = (members: object) => unknown

const chunkOf = (update: Update, withUpdate: WithUpdate): Piece | undefined => {
  const { content, sessionUpdate } = update
  if (!Predicate.isObject(content)) return undefined
  if (typeof sessionUpdate !== "string" || !sessionUpdate.endsWith("_chunk")) return undefined
  const { text } = content
  if (typeof text !== "string") return undefined
  return {
    kind: sessionUpdate,
    text,
    withText: (other) => withUpdate({ content: { ...content, text: other } })
  }
}

/** What a terminal of the agent's own has printed goes on with what it printed before. */
const printedOf = (update: Update, withUpdate: WithUpdate): Piece | undefined => {
  const { _meta: meta, toolCallId } = update
  if (!Predicate.isObject(meta)) return undefined
  const outputs = outputMembers.flatMap((name) => {
    const { [name]: told } = meta
    return Predicate.isObject(told) && typeof told["data"] === "string" ? [{ name, told, text: told["data"] }] : []
  })
  const [first] = outputs
  if (first === undefined) return undefined
  // An agent that sends both has one text in them.
  const same = outputs.filter(({ text }) => text === first.text)
  return {
    kind: JSON.stringify([toolCallId, first.told["terminal_id"]]),
    text: first.text,
    withText: (data) =>
      withUpdate({ _meta: { ...meta, ...Object.fromEntries(same.map(({ name, told }) => [name, { ...told, data }])) } })
  }
}

const outputMembers = ["terminal_output_delta", "terminal_output"] as const
