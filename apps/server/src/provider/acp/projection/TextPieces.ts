/**
 * Cuts a long text into items. After {@link wantedPiece} units it cuts at the next end of a paragraph, where nobody
 * notices it. If no paragraph ends within as much again, it cuts at a line's end, or anywhere. Pure.
 */

/** UTF-16 units: the length from which a paragraph's end is a good cut, and the longest item. */
const wantedPiece = 32_768
export const longestPiece = 65_536

/** The text of an item so far. */
export interface Piece {
  readonly length: number
  /** Its last character. */
  readonly last: string
}

/** The offset in `text` at which the item is full, if it takes the text from `start`. Undefined if it takes all. */
export const endOfPiece = ({ last, length }: Piece, text: string, start: number): number | undefined => {
  const ahead = start - length
  // This is the usual case.
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

/** Moves a cut that would divide a surrogate pair. The cut moves back, or stays if nothing would be left. */
const wholeCharacters = (text: string, start: number, end: number): number => {
  const code = text.charCodeAt(end - 1)
  const torn = end > start && end < text.length && code >= 0xd800 && code < 0xdc00
  return torn ? end - 1 : end
}
