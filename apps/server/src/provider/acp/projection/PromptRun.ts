/**
 * Several prompts that an agent repeats as one. An agent that keeps only the prompt of a stopped turn repeats it
 * together with the next one. They come piece by piece, or as lines of one piece.
 */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as PromptFit from "@signalbox/acp/PromptFit"
import { blockText } from "./ContentMapping.ts"
import type { KnownPrompts } from "./KnownPrompts.ts"
import { essence } from "./PromptEssence.ts"

interface Piece {
  text: string
  /** Whether the piece is an attachment, or text that stands for a file. */
  readonly attached: boolean
}

export interface PromptRun {
  readonly pieces: Array<Piece>
}

/** Most separate pieces. Later ones are added to the last. */
const mostPieces = 4096

export const make = (): PromptRun => ({ pieces: [] })

export const add = ({ pieces }: PromptRun, block: ContentBlock): void => {
  const text = blockText(block)
  const last = pieces.at(-1)
  if (last !== undefined && pieces.length >= mostPieces) last.text += `\n${text}`
  else pieces.push({ text, attached: block.type !== "text" || PromptFit.withoutFiles(text).trim() === "" })
}

export interface Parts {
  /** The unknown prompts, in order. */
  readonly fresh: ReadonlyArray<string>
  /** Whether the last prompt is unknown. */
  readonly endsNew: boolean
}

/**
 * Takes a run if it consists of known prompts only, each of one or more lines. Takes as few prompts as possible: for each line, it finds the
 * earliest place in our record that all lines before it can end at. A line that begins there loses nothing by an earlier place.
 */
export const takeAll = ({ pieces }: PromptRun, known: KnownPrompts): boolean => {
  const lines = pieces.flatMap((piece): ReadonlyArray<Piece> =>
    piece.attached ? [piece] : piece.text.split("\n").map((text) => ({ text, attached: false }))
  )
  const { ends, said } = measure(lines, () => true)
  /** The places by offset. A run begins with attachments or with a prompt, and has at least one prompt. */
  const begun = new Map<number, number>()
  const found = new Map<number, number>()
  const reach = (places: Map<number, number>, offset: number, place: number): void => {
    places.set(offset, Math.min(place, places.get(offset) ?? Infinity))
  }
  reach(begun, 0, known.place())
  let at = 0
  for (const { attached, text } of lines) {
    const { length } = essence(text)
    if (length === 0) continue
    const before = begun.get(at)
    const after = found.get(at)
    const next = at + length
    // An attachment belongs to the prompt before it, or to the first one.
    if (attached && before !== undefined) reach(begun, next, before)
    if (attached && after !== undefined) reach(found, next, after)
    const from = Math.min(before ?? Infinity, attached ? Infinity : (after ?? Infinity))
    if (from !== Infinity)
      for (const fits of known.fitting(said, at, (offset) => ends.has(offset), from))
        reach(found, at + fits.length, fits.place + 1)
    at = next
  }
  const place = found.get(at)
  if (place === undefined) return false
  known.goTo(place)
  return true
}

/**
 * Divides a run into known and new prompts. Undefined if none is known. Only whole pieces are compared, since a new
 * prompt may contain a line that was a prompt before. A piece that begins with a space continues the sentence before
 * it.
 */
export const parts = ({ pieces }: PromptRun, known: KnownPrompts): Parts | undefined =>
  partsOf(pieces, known, ({ text }) => !/^[ \t]/.test(text) || known.has(essence(text)))

const partsOf = (
  pieces: ReadonlyArray<Piece>,
  known: KnownPrompts,
  mayBegin: (piece: Piece) => boolean
): Parts | undefined => {
  const { ends, said } = measure(pieces, mayBegin)
  const fresh: Array<string> = []
  let lines: Array<string> = []
  let attached: Array<string> = []
  let found = false
  let endsNew = false
  let at = 0
  let until = 0
  const flush = () => {
    if (lines.length > 0) fresh.push(lines.join(""))
    lines = []
  }
  for (const piece of pieces) {
    const length = essence(piece.text).length
    const start = at
    at += length
    // This piece is a part of a known prompt.
    if (length === 0 || start < until) continue
    // An attachment belongs to the prompt before it.
    const mayBe = ends.has(start) && !(piece.attached && (found || endsNew))
    const taken = mayBe ? known.takeAt(said, start, (offset) => ends.has(offset)) : undefined
    if (taken !== undefined) {
      flush()
      until = start + taken
      attached = []
      found = true
      endsNew = false
    } else if (!piece.attached) {
      lines.push(...attached, piece.text)
      attached = []
      endsNew = true
    } else if (endsNew) lines.push(piece.text)
    else if (!found) attached.push(piece.text)
  }
  flush()
  return found ? { fresh, endsNew } : undefined
}

/** The whole text, and the offsets at which one prompt may end and the next begin. */
const measure = (
  pieces: ReadonlyArray<Piece>,
  mayBegin: (piece: Piece) => boolean
): { readonly said: string; readonly ends: ReadonlySet<number> } => {
  const ends = new Set<number>([0])
  const essences: Array<string> = []
  let at = 0
  for (const piece of pieces) {
    const said = essence(piece.text)
    if (said !== "" && mayBegin(piece)) ends.add(at)
    essences.push(said)
    at += said.length
  }
  ends.add(at)
  return { said: essences.join(""), ends }
}
