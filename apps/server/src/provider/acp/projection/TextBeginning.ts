/** The beginning of a text that comes in pieces, and how much of it is left out. A piece costs what it holds, however much came before. */
import { figure } from "../../../base/ByteWords.ts"

export interface TextBeginning {
  readonly text: string
  /** Characters that are left out. */
  readonly left: number
}

export const none: TextBeginning = { text: "", left: 0 }

/** `most`: characters that are kept. */
export const add = ({ left, text }: TextBeginning, piece: string, most: number): TextBeginning => {
  const room = left > 0 ? 0 : Math.max(0, most - text.length)
  if (piece.length <= room) return { text: text + piece, left }
  // Not between the two halves of a pair of surrogates.
  const kept = piece.slice(0, room).replace(/[\ud800-\udbff]$/, "")
  return { text: text + kept, left: left + piece.length - kept.length }
}

/** The beginning, with a word about what is left out. */
export const told = ({ left, text }: TextBeginning): string =>
  left === 0 ? text : `${text}\n[… ${figure(left)} more characters are left out]`
