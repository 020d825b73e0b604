/** A piece of a text that ends with a line, short enough to be replaced at each keystroke. */
import type { PositionEncoding } from "./Position.ts"
import * as Units from "./Units.ts"

/** A piece is closed at the first line that ends after this many UTF-16 units. */
const target = 2048
/** A piece below that joins the one after it. */
export const least = 512
/** How far a search for a place goes at most in a line of any length. */
const stride = 1024

const lf = 10
const cr = 13

/**
 * A piece of a text. Each piece but the last ends where a line ends. CRLF is never divided.
 */
export interface Chunk {
  readonly text: string
  /** The offsets behind the end of each line. */
  readonly ends: ReadonlyArray<number>
  /** Places in long lines, by encoding; made when one is needed first. */
  readonly marks: Map<PositionEncoding, Marks>
}

/** Offsets at a distance of about a stride, and the units of the piece before each. */
interface Marks {
  readonly offsets: ReadonlyArray<number>
  readonly units: ReadonlyArray<number>
}

/** Divides a text, also an empty one, into pieces. */
export const split = (text: string): ReadonlyArray<Chunk> => {
  const chunks: Array<Chunk> = []
  let start = 0
  let ends: Array<number> = []
  const close = (end: number) => {
    chunks.push({ text: text.slice(start, end), ends, marks: new Map() })
    start = end
    ends = []
  }
  let nextLf = text.indexOf("\n")
  let nextCr = text.indexOf("\r")
  while (nextLf !== -1 || nextCr !== -1) {
    const isCr = nextLf === -1 || (nextCr !== -1 && nextCr < nextLf)
    const first = isCr ? nextCr : nextLf
    const end = isCr && nextLf === first + 1 ? first + 2 : first + 1
    ends.push(end - start)
    if (nextLf !== -1 && nextLf < end) nextLf = text.indexOf("\n", end)
    if (isCr) nextCr = text.indexOf("\r", end)
    if (end - start >= target && text.length - end >= least) close(end)
  }
  close(text.length)
  return chunks
}

/** The offset where a line of the piece ends, without the characters that end it. */
export const contentEnd = (chunk: Chunk, line: number): number => {
  const end = chunk.ends[line]
  if (end === undefined) return chunk.text.length
  const isCrLf = chunk.text.charCodeAt(end - 1) === lf && chunk.text.charCodeAt(end - 2) === cr
  return isCrLf ? end - 2 : end - 1
}

export const lineStart = ({ ends }: Chunk, line: number): number => (line === 0 ? 0 : (ends[line - 1] ?? 0))

/** The line of the piece that an offset lies in: the number of ends up to it. */
export const lineAt = ({ ends }: Chunk, offset: number): number => firstAbove(ends, offset)

/** The index of the first number that is greater, or the length of the ascending list. */
const firstAbove = (numbers: ReadonlyArray<number>, value: number): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

const marksOf = (chunk: Chunk, encoding: PositionEncoding): Marks => {
  const known = chunk.marks.get(encoding)
  if (known !== undefined) return known
  const { text } = chunk
  const offsets = [0]
  const units = [0]
  for (let last = 0, sum = 0; last + stride < text.length;) {
    const next = last + (Units.splitsPair(text, last + stride) ? stride + 1 : stride)
    sum += Units.between(text, last, next, encoding)
    offsets.push(next)
    units.push(sum)
    last = next
  }
  const marks = { offsets, units }
  chunk.marks.set(encoding, marks)
  return marks
}

const isLong = (from: number, to: number, encoding: PositionEncoding) => encoding !== "utf-16" && to - from > 2 * stride

/** The units from one offset of the piece up to another. */
export const unitsBetween = (chunk: Chunk, from: number, to: number, encoding: PositionEncoding): number => {
  if (!isLong(from, to, encoding)) return Units.between(chunk.text, from, to, encoding)
  const marks = marksOf(chunk, encoding)
  const before = (offset: number) => {
    const mark = firstAbove(marks.offsets, offset) - 1
    return (marks.units[mark] ?? 0) + Units.between(chunk.text, marks.offsets[mark] ?? 0, offset, encoding)
  }
  return before(to) - before(from)
}

/** Goes that many units from an offset of the piece, at most to `to`. */
export const advance = (
  chunk: Chunk,
  from: number,
  to: number,
  units: number,
  encoding: PositionEncoding
): Units.Reached => {
  const { text } = chunk
  if (!isLong(from, to, encoding) || units <= stride) return Units.advance(text, from, to, units, encoding)
  const marks = marksOf(chunk, encoding)
  const wanted = unitsBetween(chunk, 0, from, encoding) + units
  const mark = firstAbove(marks.units, wanted) - 1
  const offset = marks.offsets[mark] ?? 0
  if (offset <= from) return Units.advance(text, from, to, units, encoding)
  if (offset >= to) return { offset: to, left: wanted - unitsBetween(chunk, 0, to, encoding) }
  return Units.advance(text, offset, to, wanted - (marks.units[mark] ?? 0), encoding)
}
