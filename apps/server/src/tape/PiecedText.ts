/**
 * Removes secrets from texts that arrive in pieces, since a secret may be cut too. Lines are held while they may hold a
 * part of a secret. Their texts are searched together, then the lines are released in order.
 */
import * as Predicate from "effect/Predicate"
import type { Span } from "@signalbox/redaction/Spans"
import * as Spans from "@signalbox/redaction/Spans"

export interface PiecedText<A> {
  /**
   * Adds a line. `message`: the parsed message of `item`, if it is one. Returns the lines that can go on, each with its
   * redacted message.
   */
  readonly push: (item: A, message: unknown) => ReadonlyArray<Passing<A>>
  /** Releases all lines that are still held. */
  readonly end: () => ReadonlyArray<Passing<A>>
}

export interface Passing<A> {
  readonly item: A
  readonly message: unknown
}

interface Piece {
  /** Pieces of the same kind are parts of one text. */
  readonly kind: string
  readonly text: string
  readonly withText: (text: string) => unknown
}

interface Held<A> {
  readonly item: A
  message: unknown
  piece: Piece | undefined
}

/** A held line with its piece of text. */
interface Holding<A> {
  readonly line: Held<A>
  readonly piece: Piece
}

/** Characters. No secret is longer, so as many stay held. */
const longest = 4_096
/** Characters that are searched at once. */
const enough = 4 * longest
/** The most lines without text that are held behind text. */
const mostOthers = 4_096

/**
 * `spansIn`: the places of secrets in a text, in order, none touching another. `onStep` is called for each line that is
 * searched.
 */
export const make = <A>(spansIn: (text: string) => ReadonlyArray<Span>, onStep?: () => void): PiecedText<A> => {
  let held: Array<Held<A>> = []
  let length = 0
  let others = 0

  /** The held lines by the kind of their text. It takes one pass, however many kinds an agent invents. */
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

  /**
   * Redacts pieces of one text. A secret at the very end may continue, so it is left for later unless this is the last
   * call.
   */
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
      // A request or an answer ends every text, so everything can be released.
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
  const piece = chunkOf(update, withUpdate) ?? printedOf(update, withUpdate)
  // Each hop of a chain has the same text once more.
  const { from, to } = message
  return piece === undefined || from === undefined ? piece : { ...piece, kind: JSON.stringify([from, to, piece.kind]) }
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

/** The new output of an agent's own terminal, which continues its earlier output. */
const printedOf = (update: Update, withUpdate: WithUpdate): Piece | undefined => {
  const { _meta: meta, toolCallId } = update
  if (!Predicate.isObject(meta)) return undefined
  const outputs = outputMembers.flatMap((name) => {
    const { [name]: told } = meta
    return Predicate.isObject(told) && typeof told["data"] === "string" ? [{ name, told, text: told["data"] }] : []
  })
  const [first] = outputs
  if (first === undefined) return undefined
  // An agent that sends both members has the same text in them.
  const same = outputs.filter(({ text }) => text === first.text)
  return {
    kind: JSON.stringify([toolCallId, first.told["terminal_id"]]),
    text: first.text,
    withText: (data) =>
      withUpdate({ _meta: { ...meta, ...Object.fromEntries(same.map(({ name, told }) => [name, { ...told, data }])) } })
  }
}

const outputMembers = ["terminal_output_delta", "terminal_output"] as const
