/** The last words of a process: what it wrote to stderr, as bytes come, bounded. */
import * as LineTail from "./LineTail.ts"

const limits: LineTail.Limits = { lines: 200, characters: 64 * 1024, lineCharacters: 8 * 1024 }

export interface StderrTail {
  /** Takes what has arrived; returns the lines that it completed. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<string>
  /** Takes what follows the last newline as a line, when the process has ended. */
  readonly end: () => ReadonlyArray<string>
  /** The last lines, oldest first. */
  readonly lines: () => ReadonlyArray<string>
  /** How many lines there were altogether. */
  readonly total: () => number
}

export const make = (): StderrTail => {
  const decoder = new TextDecoder()
  const tail = LineTail.make(limits)
  let rest = ""

  const take = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
    texts
      .map((text) => (text.endsWith("\r") ? text.slice(0, -1) : text))
      .filter((text) => text !== "")
      .map(tail.push)

  return {
    push: (chunk) => {
      const texts = (rest + decoder.decode(chunk, { stream: true })).split("\n")
      rest = texts.pop() ?? ""
      // A line without an end must not grow without one.
      if (rest.length > limits.lineCharacters) rest = rest.slice(0, limits.lineCharacters + 1)
      return take(texts)
    },
    end: () => {
      const last = rest + decoder.decode()
      rest = ""
      return take([last])
    },
    lines: tail.lines,
    total: tail.total
  }
}
