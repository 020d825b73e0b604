/** The rows of a trace that may still grow, as far as memory allows. Each byte of the file is read once, but for its beginning. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs"
import type { CommandFailed } from "../terminal/Failure.ts"
import * as TraceLines from "./TraceLines.ts"
import * as TraceText from "./TraceText.ts"

export interface BookRow extends TraceText.TraceRow {
  /** The number of its line in the file. */
  readonly number: number
}

/** What was read so far. */
export interface Reading {
  readonly rows: ReadonlyArray<BookRow>
  readonly isWaiting: TraceText.TraceText["isWaiting"]
  /** Sentences about the whole, with what is left out. */
  readonly notes: ReadonlyArray<string>
}

export interface TraceBook {
  /** Reads what the file has got since the last time. A file with another trace is read again from its beginning. */
  readonly read: Effect.Effect<Reading, CommandFailed>
  /** A line that was read, as the file has it now; undefined if there is none with this number. Reads only what is near to it. */
  readonly line: (number: number) => Effect.Effect<TraceLines.TraceLine | undefined, CommandFailed>
}

/** A place in the file at which a line begins. */
interface Mark {
  /** Lines before it. */
  readonly lines: number
  readonly offset: number
}

/** Rows that are kept. A row takes a few hundred bytes. */
const mostRows = 200_000

/** Bytes at the beginning of a file by which its trace is known: the first events, with their times. */
const bytesOfBeginning = 4096

/** Whether there is something that can be read only once, or has no end. */
const isStream = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

/** Whether a file has at least so many bytes, and begins like this. */
const continues = (path: string, offset: number, beginning: Buffer): boolean => {
  try {
    // Without `O_NONBLOCK`, opening a pipe that has taken the file's place would wait for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const bytes = Buffer.alloc(beginning.length)
      return fstatSync(file).size >= offset && readSync(file, bytes) === bytes.length && bytes.equals(beginning)
    } finally {
      closeSync(file)
    }
  } catch {
    // Reading says why.
    return false
  }
}

const newline = 10

export const make = (path: string, most: number = mostRows): TraceBook => {
  const alone = Semaphore.makeUnsafe(1)
  const blank = () => ({
    text: TraceText.make(),
    lines: TraceLines.make(),
    counts: TraceLines.counts(),
    rows: new Array<BookRow>(),
    more: 0,
    offset: 0,
    count: 0,
    /** One for each chunk that was read, in their order. */
    marks: new Array<Mark>(),
    beginning: Buffer.alloc(0)
  })
  let page = blank()

  const take = (chunk: Uint8Array): void => {
    const start = page.offset
    page.offset += chunk.length
    if (page.beginning.length < bytesOfBeginning)
      page.beginning = Buffer.concat([page.beginning, chunk.subarray(0, bytesOfBeginning - page.beginning.length)])
    const lines = page.lines.push(chunk)
    page.count = lines.at(-1)?.number ?? page.count
    const end = chunk.lastIndexOf(newline)
    if (end !== -1) page.marks.push({ lines: page.count, offset: start + end + 1 })
    for (const line of lines.filter(page.counts.add)) {
      const row = page.text.row(line.event)
      if (page.rows.length < most) page.rows.push({ ...row, number: line.number })
      else page.more += 1
    }
  }

  const read = Effect.suspend(() => {
    if (isStream(path)) return Effect.fail(TraceLines.unreadable(path, "The page needs a file, and this is none."))
    if (!continues(path, page.offset, page.beginning)) page = blank()
    return Stream.runForEach(TraceLines.bytes(path, page.offset), (chunk) => Effect.sync(() => take(chunk)))
  }).pipe(
    Effect.flatMap(() => {
      const { counts, more, rows, text } = page
      const wrong = counts.wrong(path)
      if (wrong !== undefined) return Effect.fail(wrong)
      const left = more === 0 ? [] : [`Only the first ${most} events are shown. ${more} more are in the file.`]
      const notes = [...counts.notes(), ...left, ...TraceText.unansweredWords(text.unanswered())]
      return Effect.succeed({ rows, isWaiting: text.isWaiting, notes })
    })
  )
  const line = (number: number) =>
    Effect.suspend(() => {
      if (number < 1 || number > page.count) return Effect.succeedNone
      const mark = page.marks.findLast(({ lines }) => lines < number) ?? { lines: 0, offset: 0 }
      const lines = TraceLines.make(mark.lines)
      return TraceLines.bytes(path, mark.offset).pipe(
        Stream.map((chunk) => lines.push(chunk).find((line) => line.number === number)),
        Stream.filter((line) => line !== undefined),
        Stream.runHead
      )
    }).pipe(Effect.map(Option.getOrUndefined))
  return { read: alone.withPermit(read), line }
}
