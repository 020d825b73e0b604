/** The rows of a trace that may still grow, as far as memory allows. Each byte of the file is read once, but for its beginning. */
import * as Effect from "effect/Effect"
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

export const make = (path: string, most: number = mostRows): TraceBook => {
  const alone = Semaphore.makeUnsafe(1)
  const blank = () => ({
    text: TraceText.make(),
    lines: TraceLines.make(),
    counts: TraceLines.counts(),
    rows: new Array<BookRow>(),
    more: 0,
    offset: 0,
    beginning: Buffer.alloc(0)
  })
  let page = blank()

  const take = (chunk: Uint8Array): void => {
    page.offset += chunk.length
    if (page.beginning.length < bytesOfBeginning)
      page.beginning = Buffer.concat([page.beginning, chunk.subarray(0, bytesOfBeginning - page.beginning.length)])
    for (const line of page.lines.push(chunk).filter(page.counts.add)) {
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
  return { read: alone.withPermit(read) }
}
