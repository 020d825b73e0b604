/** The end of a process's stderr, as bytes arrive: limited, and without secrets. */
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Spans from "@signalbox/redaction/Spans"
import * as LineTail from "./LineTail.ts"

const limits: LineTail.Limits = { lines: 200, characters: 64 * 1024, lineCharacters: 8 * 1024 }
/** Characters of a line that are searched for secrets, so that one at the cut is found. */
const looked = 2 * limits.lineCharacters
/** Most lines that are held back while a secret may continue in the next one. */
const mostHeld = 16

export interface StderrTail {
  /** Adds bytes, and returns the complete lines without secrets. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<string>
  /** Ends the stream: text after the last newline counts as a line. */
  readonly end: () => ReadonlyArray<string>
  /** The last lines, oldest first. */
  readonly lines: () => ReadonlyArray<string>
  /** The number of all lines. */
  readonly total: () => number
}

export const make = (secrets: Secrets): StderrTail => {
  const decoder = new TextDecoder()
  const tail = LineTail.make(limits)
  let rest = ""
  let held: Array<string> = []

  /** Whether a secret may continue in the next line. Until that is known, its beginning is held back. */
  const goesOn = () => held.length < mostHeld && secrets.begun(held.join("")) > 0

  const take = (texts: ReadonlyArray<string>, last: boolean): ReadonlyArray<string> => {
    const taken: Array<string> = []
    for (const text of texts) {
      const line = (text.endsWith("\r") ? text.slice(0, -1) : text).slice(0, looked)
      if (line === "") continue
      held.push(line)
      if (goesOn()) continue
      for (const each of hidden(secrets, held)) taken.push(tail.push(each))
      held = []
    }
    if (last) {
      for (const each of hidden(secrets, held)) taken.push(tail.push(each))
      held = []
    }
    return taken
  }

  return {
    push: (chunk) => {
      const texts = (rest + decoder.decode(chunk, { stream: true })).split("\n")
      rest = texts.pop() ?? ""
      // A line without an end is limited.
      if (rest.length > looked) rest = rest.slice(0, looked)
      return take(texts, false)
    },
    end: () => {
      const last = rest + decoder.decode()
      rest = ""
      return take([last], true)
    },
    lines: tail.lines,
    total: tail.total
  }
}

/** Lines without secrets, including those that continue from one line to the next. */
const hidden = (secrets: Secrets, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = ""] = lines
  if (lines.length === 1) return [first.length < looked ? secrets.hide(first) : secrets.hideCut(first)]
  const spans = [...secrets.spansIn(lines.join(""))]
  let at = 0
  for (const line of lines) {
    for (const { end, start } of secrets.spansIn(line)) spans.push({ start: at + start, end: at + end })
    at += line.length
  }
  return Spans.withoutIn(lines, Spans.joined(spans))
}
