/** Excerpts of a long text, with the number of all lines. Nothing is cut without a count. */

export interface Excerpt {
  /** The shown lines, joined by line breaks. */
  readonly text: string
  readonly shown: number
  readonly total: number
}

/** The part of `text` that ends before its final line break. */
const body = (text: string): string =>
  text.endsWith("\r\n") ? text.slice(0, -2) : text.endsWith("\n") ? text.slice(0, -1) : text

export const countLines = (text: string): number => {
  const whole = body(text)
  if (whole === "") return text === "" ? 0 : 1
  let lines = 1
  for (let at = whole.indexOf("\n"); at !== -1; at = whole.indexOf("\n", at + 1)) lines++
  return lines
}

/** The last `limit` lines, found from the end. Only the count of lines costs more for a longer text. */
export const lastLines = (text: string, limit: number): Excerpt => {
  const whole = body(text)
  const total = countLines(text)
  if (total <= limit) return { text: whole, shown: total, total }
  let at = whole.length
  for (let line = 0; line < limit; line++) at = whole.lastIndexOf("\n", at - 1)
  return { text: whole.slice(at + 1), shown: limit, total }
}

/** The first `limit` lines. */
export const firstLines = (text: string, limit: number): Excerpt => {
  const whole = body(text)
  const total = countLines(text)
  if (total <= limit) return { text: whole, shown: total, total }
  let at = -1
  for (let line = 0; line < limit; line++) at = whole.indexOf("\n", at + 1)
  return { text: whole.slice(0, at), shown: limit, total }
}

/** Output as a terminal would show it: a carriage return overwrites its line, a backspace removes one character. */
export const settleLines = (text: string): string =>
  /[\r\b]/.test(text)
    ? text
        .split("\n")
        .map((line) => backspaced(overwritten(line.endsWith("\r") ? line.slice(0, -1) : line)))
        .join("\n")
    : text

const overwritten = (line: string): string => line.slice(line.lastIndexOf("\r") + 1)

const backspaced = (line: string): string => {
  if (!line.includes("\b")) return line
  const kept: Array<string> = []
  for (const character of line) {
    if (character === "\b") kept.pop()
    else kept.push(character)
  }
  return kept.join("")
}
