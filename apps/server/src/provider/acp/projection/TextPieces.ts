/**
 * Cuts a long text into items: behind {@link wantedPiece} units at the next end of a paragraph, so that nobody sees it. Where no
 * paragraph ends for as much again, it cuts at the end of a line, or right there. Pure.
 */

/** UTF-16 units: from where on a paragraph's end is a good place, and the most that an item holds. */
const wantedPiece = 32_768
export const longestPiece = 65_536

/** An item's text so far. */
export interface Piece {
  readonly length: number
  /** Its last character. */
  readonly last: string
}

/** The place in `text` at which an item is full that takes it up from `start` on; undefined when it takes all of it. */
export const endOfPiece = ({ last, length }: Piece, text: string, start: number): number | undefined => {
  const ahead = start - length
  // Nearly always.
  if (text.length <= wantedPiece + ahead) return undefined
  const from = Math.max(start, wantedPiece + ahead)
  const to = Math.min(text.length, longestPiece + ahead)
  if (from === start && last === "\n" && text.charAt(start) === "\n") return start + 1
  const within = text.slice(Math.max(start, from - 1), to)
  const paragraph = within.indexOf("\n\n")
  if (paragraph !== -1) return Math.max(start, from - 1) + paragraph + 2
  if (text.length <= longestPiece + ahead) return undefined
  const line = within.lastIndexOf("\n")
  return line === -1 ? wholeCharacters(text, start, to) : Math.max(start, from - 1) + line + 1
}

/** Not between the two halves of a pair of surrogates; further where nothing else would be taken. */
const wholeCharacters = (text: string, start: number, end: number): number => {
  const code = text.charCodeAt(end - 1)
  const torn = end > start && end < text.length && code >= 0xd800 && code < 0xdc00
  return torn ? end - 1 : end
}
