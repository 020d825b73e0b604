/**
 * The beginning of a text that comes in pieces, and the number of characters left out. The cost of a piece does not
 * depend on the text before it.
 */
import { figure } from "../../../base/ByteWords.ts"

export interface TextBeginning {
  readonly text: string
  /** Characters that are left out. */
  readonly left: number
}

export const none: TextBeginning = { text: "", left: 0 }

/** Adds a piece. `most`: characters that are kept. */
export const add = ({ left, text }: TextBeginning, piece: string, most: number): TextBeginning => {
  const room = left > 0 ? 0 : Math.max(0, most - text.length)
  if (piece.length <= room) return { text: text + piece, left }
  // A surrogate pair is not cut.
  const kept = piece.slice(0, room).replace(/[\ud800-\udbff]$/, "")
  return { text: text + kept, left: left + piece.length - kept.length }
}

/** The beginning, with a note about what is left out. */
export const told = ({ left, text }: TextBeginning): string =>
  left === 0 ? text : `${text}\n[… ${figure(left)} more characters are left out]`
