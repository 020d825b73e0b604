/** The events in the bytes of a trace, with the numbers of their lines. A last line without its end waits for more. */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import * as TraceEvent from "@signalbox/conductor/TraceEvent"
import { messageOf } from "@signalbox/system/SystemError"
import * as Stream from "effect/Stream"
import { createReadStream } from "node:fs"
import { type CommandFailed, failedWith } from "../terminal/Failure.ts"

/** The longest line that is read: two of the longest messages. */
const maxLineBytes = 64 * 1024 * 1024

const bytesAtOnce = 64 * 1024

const failed = (path: string, title: string, cause: string): CommandFailed =>
  failedWith({
    code: "storage",
    title,
    cause,
    evidence: { path },
    nextSteps: [{ action: "run-command", label: "A trace is written by signalbox conductor agent --trace FILE" }]
  })

export const unreadable = (path: string, cause: string): CommandFailed =>
  failed(path, "The trace can't be read.", cause)

/** The bytes of a trace from this place on, as far as they are written. */
export const bytes = (path: string, start = 0): Stream.Stream<Uint8Array, CommandFailed> =>
  Stream.fromAsyncIterable(
    // A pipe has no places: it is read from where it is.
    createReadStream(path, { highWaterMark: bytesAtOnce, ...(start > 0 && { start }) }),
    (error) => unreadable(path, messageOf(error))
  )

/** A line of the file. */
export interface TraceLine {
  /** Counted from 1. */
  readonly number: number
  /** Empty if the line is too long to be read. */
  readonly text: string
  /** Undefined if the line is none of a trace. */
  readonly event: TraceEvent.TraceEvent | undefined
}

export interface TraceLines {
  /** The lines that these bytes complete. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<TraceLine>
  /** The last line, if the file ends without a line break. */
  readonly end: () => ReadonlyArray<TraceLine>
}

/** @param before how many lines there are before the first one */
export const make = (before = 0): TraceLines => {
  let number = before
  let found: Array<TraceLine> = []
  const add = (text: string) => {
    number += 1
    found.push({ number, text, event: TraceEvent.read(text) })
  }
  const splitter = LineSplitter.make({ maxLineBytes, onOversized: () => add("") })
  const linesOf = (texts: ReadonlyArray<string>) => {
    for (const text of texts) add(text)
    const lines = found
    found = []
    return lines
  }
  return { push: (chunk) => linesOf(splitter.push(chunk)), end: () => linesOf(splitter.end()) }
}

/** A line that is an event. */
export interface TraceEventLine extends TraceLine {
  readonly event: TraceEvent.TraceEvent
}

const plural = (count: number, one: string, several: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${several}`

/** Counts what is in a file. */
export interface Counts {
  /** Counts a line. Returns whether it is an event. */
  readonly add: (line: TraceLine) => line is TraceEventLine
  /** Sentences about what was read. */
  readonly notes: () => ReadonlyArray<string>
  /** Why the file is no trace; undefined if it may be one. */
  readonly wrong: (path: string) => CommandFailed | undefined
}

export const counts = (): Counts => {
  let events = 0
  let strange = 0
  let first = 0
  return {
    add: (line): line is TraceEventLine => {
      if (line.event !== undefined) events += 1
      else {
        strange += 1
        if (strange === 1) first = line.number
      }
      return line.event !== undefined
    },
    notes: () => [
      ...(events === 0 ? ["The trace is empty."] : []),
      ...(strange > 0
        ? [`${plural(strange, "line is", "lines are")} no event of a trace; the first is line ${first}.`]
        : [])
    ],
    wrong: (path) =>
      events === 0 && strange > 0 ? failed(path, "This is no trace.", `Line ${first} is no event of one.`) : undefined
  }
}
