/** Lines of a text, and how they end. Pure. */

export interface Excerpt {
  /** The first line, from 1; 1 unless given. */
  readonly line?: number | undefined
  /** The number of lines; all unless given. */
  readonly limit?: number | undefined
}

/** Takes these lines, with their line ends. Nothing is beyond the last line. */
export const linesOf = (text: string, { limit = Infinity, line = 1 }: Excerpt): string => {
  const start = afterLines(text, 0, Math.max(1, line) - 1)
  return text.slice(start, afterLines(text, start, limit))
}

const afterLines = (text: string, from: number, lines: number): number => {
  if (lines === Infinity) return text.length
  let at = from
  for (let passed = 0; passed < lines; passed++) {
    const end = text.indexOf("\n", at)
    if (end === -1) return text.length
    at = end + 1
  }
  return at
}

export type LineEnd = "\n" | "\r\n"

/** Undefined for a text of one line, and for one with line ends of both kinds. */
export const lineEndOf = (text: string): LineEnd | undefined => {
  const all = text.split("\n").length - 1
  const long = text.split("\r\n").length - 1
  if (all === 0 || (long > 0 && long < all)) return undefined
  return long === 0 ? "\n" : "\r\n"
}

/** The text with these line ends, as an editor has it. */
export const withLineEnd = (text: string, lineEnd: LineEnd): string => text.replaceAll(/\r\n|\r|\n/g, lineEnd)
