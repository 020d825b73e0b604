/**
 * Reads a tape line by line over all its parts, or an export of several tapes. It keeps nothing in memory. A missing,
 * damaged or newer line becomes a fault at its place, and reading goes on behind it.
 */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { createReadStream } from "node:fs"
import * as TapeNote from "./TapeNote.ts"

/** The file and the number of a line. */
export interface Place {
  readonly path: string
  /** The number of the line in that file, from 1. */
  readonly line: number
}

interface Common {
  readonly place: Place
  /** The number of the line over all parts of the tape, from 1. */
  readonly line: number
  /** The line as it stands in the file. */
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The parsed message or note of the line; a text if it was not JSON. */
  readonly message: unknown
}

export type TapeLine =
  /** `in`: from the agent. `out`: to the agent. `err`: from the agent's stderr. */
  | (Common & { readonly type: "in" | "out" | "err" })
  /** `note`: undefined for a kind that this version doesn't know. */
  | (Common & { readonly type: "note"; readonly note: TapeNote.TapeNote | undefined })

/** A gap: from here up to the next start of a process, the tape does not say what happened. */
export interface TapeFault {
  readonly type: "fault"
  readonly place: Place
  /** What is wrong, as a sentence. */
  readonly reason: string
  /** Whether a line exists here that can't be read. */
  readonly unreadable: boolean
}

/** `paths`: the parts of a tape, in order. Fails with the system's error if a part can't be read. */
export async function* read(paths: ReadonlyArray<string>): AsyncGenerator<TapeLine | TapeFault> {
  let line = 0
  let place: Place | undefined
  /** An unreadable line is kept until the next one, since the last line of a tape may be just incomplete. */
  let unread: TapeFault | undefined

  for (const [index, path] of paths.entries()) {
    let number = 0
    for await (const text of linesIn(path)) {
      number += 1
      line += 1
      place = { path, line: number }
      if (unread !== undefined) yield unread
      const parsed = parse(text, { place, line })
      unread = parsed.type === "fault" ? parsed : undefined
      if (parsed.type === "fault") continue
      const note = parsed.type === "note" ? parsed.note : undefined
      if (note?.event === "part") {
        if (note.firstLine !== line) yield gap(place, line, note.firstLine)
        line = note.firstLine
      } else if (number === 1 && index > 0) yield fault(place, "It is no further part of the tape.")
      yield { ...parsed, line }
      if (note?.event === "tape") line = 0
    }
  }
  if (unread !== undefined) yield { ...unread, reason: `The tape ends in the middle of line ${unread.place.line}.` }
  else if (place === undefined) yield fault({ path: paths[0] ?? "", line: 1 }, "It is empty.")
}

const fault = (place: Place, reason: string): TapeFault => ({ type: "fault", place, reason, unreadable: false })

const gap = (place: Place, expected: number, found: number): TapeFault =>
  fault(
    place,
    found > expected
      ? `Lines ${expected} to ${found - 1} are not there: they were given up to keep the tape within its bound, or a part of it was lost.`
      : "It is a part of another tape."
  )

const parse = (text: string, at: Pick<Common, "place" | "line">): TapeLine | TapeFault => {
  const damaged = (what: string): TapeFault => ({
    ...fault(at.place, `Line ${at.place.line} is ${what}.`),
    unreadable: true
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return damaged("damaged: it is not JSON")
  }
  if (!Predicate.isObject(value) || typeof value["at"] !== "number" || !("line" in value))
    return damaged("no line of a tape")
  const common = { place: at.place, line: at.line, text, at: value["at"], message: value["line"] }
  switch (value["dir"]) {
    case "in":
    case "out":
    case "err":
      return { ...common, type: value["dir"] }
    case "note": {
      const note = Option.getOrUndefined(TapeNote.read(common.message))
      if (note?.event === "start" && (note.format ?? 1) > TapeNote.format)
        return damaged(
          `of format ${note.format}, which is newer than this Signalbox: it reads format ${TapeNote.format}`
        )
      return { ...common, type: "note", note }
    }
    default:
      return damaged(`no line of a tape that we know (${JSON.stringify(value["dir"])})`)
  }
}

const bytesAtOnce = 256 * 1024

async function* linesIn(path: string): AsyncGenerator<string> {
  // No limit: a line of a tape is longer than the longest message in it.
  const splitter = LineSplitter.make({ maxLineBytes: Number.MAX_SAFE_INTEGER })
  for await (const chunk of createReadStream(path, { highWaterMark: bytesAtOnce })) yield* splitter.push(chunk)
  yield* splitter.end()
}
