/** The last words of a process: what it wrote to stderr, as bytes come, bounded and without secrets. */
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Spans from "@signalbox/redaction/Spans"
import * as LineTail from "./LineTail.ts"

const limits: LineTail.Limits = { lines: 200, characters: 64 * 1024, lineCharacters: 8 * 1024 }
/** Looked through for secrets, so that one that the limit cuts is found as a whole. */
const looked = 2 * limits.lineCharacters
/** Lines that are kept back while a secret may go on in the next one. */
const mostHeld = 16

export interface StderrTail {
  /** Takes what has arrived; returns the lines that are complete, without secrets. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<string>
  /** Takes what follows the last newline as a line, when the process has ended. */
  readonly end: () => ReadonlyArray<string>
  /** The last lines, oldest first. */
  readonly lines: () => ReadonlyArray<string>
  /** How many lines there were altogether. */
  readonly total: () => number
}

export const make = (secrets: Secrets): StderrTail => {
  const decoder = new TextDecoder()
  const tail = LineTail.make(limits)
  let rest = ""
  let held: Array<string> = []

  /** A secret may go on in the next line: until that is known, its beginning is kept back. */
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
      // A line without an end must not grow without one.
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

/** Lines without secrets: those in one of them, and those that go on from one to the next. */
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
