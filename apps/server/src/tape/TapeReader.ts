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
  /** `in`: from the agent. `out`: to the agent. `err`: from stderr. `hop`: between two parts of a chain. */
  | (Common & { readonly type: "in" | "out" | "hop" })
  /** `part`: the component that wrote it. Undefined: the agent. */
  | (Common & { readonly type: "err"; readonly part: string | undefined })
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

/** Counts the lines of a tape over its parts, and reads them. */
export interface LineCounter {
  /** The next lines are those of this file. */
  readonly begin: (path: string) => void
  /** A line, with what is wrong before it. An unreadable line is a fault alone. */
  readonly take: (text: string) => ReadonlyArray<TapeLine | TapeFault>
}

export const counter = (): LineCounter => {
  let line = 0
  let place: Place = { path: "", line: 0 }
  let parts = 0
  return {
    begin: (path) => {
      place = { path, line: 0 }
      parts += 1
    },
    take: (text) => {
      place = { ...place, line: place.line + 1 }
      line += 1
      const parsed = parse(text, { place, line })
      if (parsed.type === "fault") return [parsed]
      const note = parsed.type === "note" ? parsed.note : undefined
      const found: Array<TapeLine | TapeFault> = []
      if (note?.event === "part") {
        if (note.firstLine !== line) found.push(gap(place, line, note.firstLine))
        line = note.firstLine
      } else if (place.line === 1 && parts > 1) found.push(fault(place, "It is no further part of the tape."))
      found.push({ ...parsed, line })
      if (note?.event === "tape") line = 0
      return found
    }
  }
}

/** `paths`: the parts of a tape, in order. Fails with the system's error if a part can't be read. */
export async function* read(paths: ReadonlyArray<string>): AsyncGenerator<TapeLine | TapeFault> {
  const lines = counter()
  let isEmpty = true
  /** An unreadable line is kept until the next one, since the last line of a tape may be just incomplete. */
  let unread: TapeFault | undefined

  for (const path of paths) {
    lines.begin(path)
    for await (const text of linesIn(path)) {
      isEmpty = false
      if (unread !== undefined) yield unread
      const found = lines.take(text)
      const [first] = found
      unread = first?.type === "fault" && first.unreadable ? first : undefined
      if (unread === undefined) yield* found
    }
  }
  if (unread !== undefined) yield { ...unread, reason: `The tape ends in the middle of line ${unread.place.line}.` }
  else if (isEmpty) yield fault({ path: paths[0] ?? "", line: 1 }, "It is empty.")
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
    case "err": {
      const { part } = value
      return { ...common, type: "err", part: typeof part === "string" ? part : undefined }
    }
    case "in":
    case "out":
    case "hop":
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
