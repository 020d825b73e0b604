/**
 * A tape, line by line over all its parts, or an export of several. Nothing is kept in memory. What is missing, damaged or
 * newer than we are is told in its place among the lines; what comes after it can be read all the same.
 */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { createReadStream } from "node:fs"
import * as TapeNote from "./TapeNote.ts"

/** Where a line stands. */
export interface Place {
  readonly path: string
  /** From 1, in that file. */
  readonly line: number
}

interface Common {
  readonly place: Place
  /** From 1, over all parts of the tape. */
  readonly line: number
  /** As it stands in the file. */
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export type TapeLine =
  /** What the agent (`in`) or we (`out`) wrote, parsed; text where it was not JSON. */
  | (Common & { readonly type: "in" | "out"; readonly message: unknown })
  | (Common & { readonly type: "err"; readonly message: unknown })
  /** `note` is undefined for one that we do not know. */
  | (Common & { readonly type: "note"; readonly note: TapeNote.TapeNote | undefined })

/** From here on, up to the next start of a process, the tape does not tell what happened. */
export interface TapeFault {
  readonly type: "fault"
  readonly place: Place
  /** What is wrong, as a sentence. */
  readonly reason: string
}

/** `paths`: the parts of a tape in order. Fails as the operating system does when one can't be read. */
export async function* read(paths: ReadonlyArray<string>): AsyncGenerator<TapeLine | TapeFault> {
  let line = 0
  let place: Place = { path: paths[0] ?? "", line: 1 }
  /** A line that can't be read: whether it is the last one decides what that means. */
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
      if (parsed.type !== "note") {
        yield parsed
        continue
      }
      const { note } = parsed
      if (note?.event === "part") {
        // The first part may have been given up by whoever copied the files.
        if (note.firstLine !== line) yield gap(place, line, note)
        line = note.firstLine
      } else if (number === 1 && index > 0)
        yield { type: "fault", place, reason: `It is no part ${index + 1} of a tape.` }
      yield note?.event === "part" ? { ...parsed, line } : parsed
      if (note?.event === "tape") line = 0
    }
  }
  if (unread !== undefined) yield { ...unread, reason: `The tape ends in the middle of line ${unread.place.line}.` }
  else if (line === 0 && place.line === 1) yield { type: "fault", place, reason: "It is empty." }
}

const gap = (place: Place, expected: number, { firstLine, missing }: TapeNote.PartNote): TapeFault => {
  const lines = `Lines ${expected} to ${firstLine - 1} are not there`
  const why =
    missing === undefined ? "a part of the tape is missing." : "they were given up to keep the tape within its bound."
  return { type: "fault", place, reason: `${lines}: ${why}` }
}

const parse = (text: string, at: Pick<Common, "place" | "line">): TapeLine | TapeFault => {
  const damaged = (what: string): TapeFault => ({
    type: "fault",
    place: at.place,
    reason: `Line ${at.place.line} is ${what}.`
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return damaged("damaged: it is not JSON")
  }
  if (!Predicate.isObject(value) || typeof value["at"] !== "number" || !("line" in value))
    return damaged("no line of a tape")
  const common = { ...at, text, at: value["at"] }
  switch (value["dir"]) {
    case "in":
    case "out":
    case "err":
      return { ...common, type: value["dir"], message: value["line"] }
    case "note": {
      const note = Option.getOrUndefined(TapeNote.read(value["line"]))
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
  // A line of a tape is longer than the longest message that it may hold.
  const splitter = LineSplitter.make({ maxLineBytes: Number.MAX_SAFE_INTEGER })
  for await (const chunk of createReadStream(path, { highWaterMark: bytesAtOnce })) yield* splitter.push(chunk)
  yield* splitter.end()
}
