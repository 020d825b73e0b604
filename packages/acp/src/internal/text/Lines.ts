/** A text in pieces. A change costs as much as a piece, and not as much as the text. */
import * as Chunk from "./Chunk.ts"
import type { Position, PositionEncoding, Range } from "./Position.ts"

/** How a position fits a text. Each but `exact` is moved to the offset that stands for it. */
export type Fit =
  | "exact"
  /** The line is shorter: the offset is its end. */
  | "beyondLine"
  /** There is no such line: the offset is the end of the text. */
  | "beyondText"
  /** It lies in the middle of a character: the offset is the character's start. */
  | "insideCharacter"

/** The offset that a position has in a text. */
export interface Place {
  readonly offset: number
  readonly fit: Fit
}

/** A new text for a range, or for the whole text where there is no range. */
export interface Change {
  readonly range?: Range | null | undefined
  readonly text: string
}

/** A range and what takes its place. */
export interface Edit {
  readonly range: Range
  readonly newText: string
}

/** A place in the pieces: which one, where it begins in the text, and how many lines end before it. */
interface Found {
  readonly index: number
  readonly chunk: Chunk.Chunk
  readonly start: number
  readonly line: number
}

const clamp = (value: number, most: number) => (value > 0 ? Math.min(value, most) : 0)

/** A text that knows its lines. It never changes: a change gives another text, which shares all that stayed. */
export class Lines {
  /** The number of UTF-16 units. */
  readonly length: number
  /** The number of lines, at least one: behind the last end of a line there is one more. */
  readonly count: number
  readonly #chunks: ReadonlyArray<Chunk.Chunk>
  #text: string | undefined

  private constructor(chunks: ReadonlyArray<Chunk.Chunk>, length: number, count: number, text: string | undefined) {
    this.#chunks = chunks
    this.length = length
    this.count = count
    this.#text = text
  }

  static of(text: string): Lines {
    const chunks = Chunk.split(text)
    return new Lines(chunks, text.length, chunks.reduce(addEnds, 1), text)
  }

  /** The whole text. Joined when it is asked for, and kept then. */
  get text(): string {
    this.#text ??= this.#chunks.map(({ text }) => text).join("")
    return this.#text
  }

  /** A line without its end. Undefined where there is none of that number. */
  line(number: number): string | undefined {
    if (!(number >= 0 && number < this.count)) return undefined
    const { chunk, line } = this.#atLine(number)
    return chunk.text.slice(Chunk.lineStart(chunk, number - line), Chunk.contentEnd(chunk, number - line))
  }

  /** The text from one UTF-16 offset up to another. */
  slice(from: number, to: number): string {
    const first = this.#atOffset(clamp(from, this.length))
    const end = clamp(to, this.length)
    let slice = ""
    for (let { index, start } = first; start < end; index++) {
      const { text } = this.#chunks[index] ?? first.chunk
      slice += text.slice(Math.max(0, from - start), end - start)
      start += text.length
    }
    return slice
  }

  /** The UTF-16 offset of a position, and how well it fits. */
  place(position: Position, encoding: PositionEncoding = "utf-16"): Place {
    if (position.line >= this.count) return { offset: this.length, fit: "beyondText" }
    const number = clamp(position.line, this.count - 1)
    const { chunk, line, start } = this.#atLine(number)
    const from = Chunk.lineStart(chunk, number - line)
    const to = Chunk.contentEnd(chunk, number - line)
    const { left, offset } = Chunk.advance(
      chunk,
      from,
      to,
      clamp(position.character, Number.MAX_SAFE_INTEGER),
      encoding
    )
    const fit = left === 0 ? "exact" : offset === to ? "beyondLine" : "insideCharacter"
    return { offset: start + offset, fit }
  }

  /** The UTF-16 offset of a position, or of the closest place before it. */
  offsetAt(position: Position, encoding: PositionEncoding = "utf-16"): number {
    return this.place(position, encoding).offset
  }

  /** The position of a UTF-16 offset. Within a character or the end of a line it is that one's start. */
  positionAt(offset: number, encoding: PositionEncoding = "utf-16"): Position {
    const { chunk, line, start } = this.#atOffset(clamp(offset, this.length))
    const inChunk = clamp(offset, this.length) - start
    const lineInChunk = Chunk.lineAt(chunk, inChunk)
    const from = Chunk.lineStart(chunk, lineInChunk)
    const most = Math.min(inChunk, Chunk.contentEnd(chunk, lineInChunk))
    const at = Chunk.advance(chunk, from, most, most - from, "utf-16").offset
    return { line: line + lineInChunk, character: Chunk.unitsBetween(chunk, from, at, encoding) }
  }

  /** Counts a place in another encoding. */
  convert(position: Position, from: PositionEncoding, to: PositionEncoding): Position {
    return this.positionAt(this.offsetAt(position, from), to)
  }

  convertRange({ end, start }: Range, from: PositionEncoding, to: PositionEncoding): Range {
    return { start: this.convert(start, from, to), end: this.convert(end, from, to) }
  }

  /** The text with another text between two UTF-16 offsets. */
  replace(from: number, to: number, text: string): Lines {
    const start = clamp(from, this.length)
    const end = Math.max(start, clamp(to, this.length))
    const first = this.#atOffset(start)
    const last = end === start ? first : this.#atOffset(end)
    let before = first.index
    let after = last.index + 1
    let content = first.chunk.text.slice(0, start - first.start) + text + last.chunk.text.slice(end - last.start)
    const previous = this.#chunks[before - 1]
    if (previous !== undefined && content.startsWith("\n") && previous.text.endsWith("\r")) {
      content = previous.text + content
      before -= 1
    }
    for (let next = this.#chunks[after]; next !== undefined; next = this.#chunks[after]) {
      if (content.length >= Chunk.least && endsLine(content) && !(content.endsWith("\r") && next.text.startsWith("\n")))
        break
      content += next.text
      after += 1
    }
    const pieces = Chunk.split(content)
    const gone = this.#chunks.slice(before, after).reduce(addEnds, 0)
    return new Lines(
      this.#chunks.slice(0, before).concat(pieces, this.#chunks.slice(after)),
      this.length + text.length - (end - start),
      this.count - gone + pieces.reduce(addEnds, 0),
      undefined
    )
  }

  /**
   * The text after changes, one after the other: the range of each is about what the one before it has made. A range
   * that begins behind its end is read from its end to its start.
   */
  change(changes: ReadonlyArray<Change>, encoding: PositionEncoding = "utf-16"): Lines {
    return changes.reduce<Lines>((lines, { range, text }) => {
      if (range === undefined || range === null) return Lines.of(text)
      const start = lines.offsetAt(range.start, encoding)
      const end = lines.offsetAt(range.end, encoding)
      return lines.replace(Math.min(start, end), Math.max(start, end), text)
    }, this)
  }

  /**
   * The text after edits that are all about the text as it is now, and don't overlap. Insertions at one place keep
   * their order.
   */
  edit(edits: ReadonlyArray<Edit>, encoding: PositionEncoding = "utf-16"): Lines {
    const places = edits.map(({ newText, range }) => ({
      newText,
      start: this.offsetAt(range.start, encoding),
      end: this.offsetAt(range.end, encoding)
    }))
    const parts: Array<string> = []
    let at = 0
    for (const { end, newText, start } of places.toSorted(
      (one, other) => one.start - other.start || one.end - other.end
    )) {
      parts.push(this.slice(at, Math.max(at, start)), newText)
      at = Math.max(at, end)
    }
    parts.push(this.slice(at, this.length))
    return Lines.of(parts.join(""))
  }

  #atOffset(offset: number): Found {
    let start = 0
    let line = 0
    let index = 0
    for (const chunk of this.#chunks) {
      const end = start + chunk.text.length
      if (offset < end || index === this.#chunks.length - 1) return { index, chunk, start, line }
      start = end
      line += chunk.ends.length
      index += 1
    }
    return none
  }

  #atLine(number: number): Found {
    let start = 0
    let line = 0
    let index = 0
    for (const chunk of this.#chunks) {
      const next = line + chunk.ends.length
      if (number < next || index === this.#chunks.length - 1) return { index, chunk, start, line }
      start += chunk.text.length
      line = next
      index += 1
    }
    return none
  }
}

/** Stands for a text without pieces, which there is not. */
const none: Found = { index: 0, chunk: { text: "", ends: [], marks: new Map() }, start: 0, line: 0 }

const addEnds = (sum: number, { ends }: Chunk.Chunk): number => sum + ends.length

const endsLine = (text: string): boolean => text.endsWith("\n") || text.endsWith("\r")
