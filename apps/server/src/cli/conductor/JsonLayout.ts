/**
 * Lays JSON text out in lines for people. Nothing is parsed: digits, escapes, the order of members and repeated names stay as they are.
 */

export interface Layout {
  readonly text: string
  /** Characters of the JSON that are not shown. */
  readonly left: number
}

/** Levels that are indented. What is nested deeper stands below each other, so that the text stays in proportion to the JSON. */
const mostLevels = 20

const closers: { readonly [opener: string]: string | undefined } = { "{": "}", "[": "]" }

const isSpace = (character: string): boolean => /[ \t\r\n]/.test(character)

/** The place behind a string that begins here, or `most` characters further if it is longer. */
const endOfString = (json: string, from: number, most: number): number => {
  const end = Math.min(json.length, from + most)
  for (let at = from + 1; at < end; at += 1) {
    const character = json[at]
    if (character === '"') return at + 1
    if (character === "\\") at += 1
  }
  return end
}

/**
 * @param json one JSON text; other text is laid out somehow
 * @param most characters that the result has at least room for: it is cut behind them, at the next token
 */
export const of = (json: string, most: number): Layout => {
  const pieces: Array<string> = []
  let length = 0
  let depth = 0
  let at = 0
  const add = (piece: string) => {
    pieces.push(piece)
    length += piece.length
  }
  const goesOn = () => at < json.length && length < most
  const breakLine = () => add(`\n${"  ".repeat(Math.max(0, Math.min(depth, mostLevels)))}`)
  const skipSpace = () => {
    while (at < json.length && isSpace(json.charAt(at))) at += 1
  }
  const open = (opener: string, closer: string) => {
    skipSpace()
    const isEmpty = json[at] === closer
    add(isEmpty ? opener + closer : opener)
    if (isEmpty) {
      at += 1
      return
    }
    depth += 1
    breakLine()
  }
  const token = (character: string): void => {
    const closer = closers[character]
    if (closer !== undefined) return open(character, closer)
    if (character === "}" || character === "]") {
      depth -= 1
      breakLine()
    }
    add(character === ":" ? ": " : character)
    if (character === ",") breakLine()
  }

  skipSpace()
  while (goesOn()) {
    const from = at
    const character = json.charAt(from)
    at = character === '"' ? endOfString(json, from, most - length) : from + 1
    if (character === '"') add(json.slice(from, at))
    else token(character)
    skipSpace()
  }
  return { text: pieces.join("").replace(/[\ud800-\udbff]$/, ""), left: json.length - at }
}
