/** A document as a server has it, changed the slow way: by the words of the protocol, and by no code of ours. */

type Encoding = "utf-8" | "utf-16" | "utf-32"

interface Place {
  readonly line: number
  readonly character: number
}

const sizeOf = (character: string, encoding: Encoding): number =>
  encoding === "utf-8" ? Buffer.byteLength(character) : encoding === "utf-16" ? character.length : 1

/** The UTF-16 offset of a place. Throws if it is not exactly between two characters of its line. */
const offsetOf = (text: string, { character, line }: Place, encoding: Encoding): number => {
  let start = 0
  let left = line
  for (const match of text.matchAll(/\r\n|\r|\n/g)) {
    if (left === 0) break
    start = match.index + match[0].length
    left -= 1
  }
  if (left > 0) throw new Error(`no line ${line}`)
  let offset = start
  let units = character
  while (units > 0) {
    const next = String.fromCodePoint(text.codePointAt(offset) ?? 10)
    if (offset >= text.length || next === "\n" || next === "\r") throw new Error("beyond the line")
    units -= sizeOf(next, encoding)
    offset += next.length
  }
  if (units < 0) throw new Error("inside a character")
  return offset
}

/** The text after `contentChanges`, one after the other. */
export const changed = (
  text: string,
  changes: ReadonlyArray<{ readonly range?: { readonly start: Place; readonly end: Place }; readonly text: string }>,
  encoding: Encoding
): string =>
  changes.reduce((before, { range, text }) => {
    if (range === undefined) return text
    const start = offsetOf(before, range.start, encoding)
    return before.slice(0, start) + text + before.slice(offsetOf(before, range.end, encoding))
  }, text)
