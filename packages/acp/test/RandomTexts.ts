/** Texts and changes by chance, the same for the same seed. They are made of what is hard to count. */
import type { Change } from "../src/Positions.ts"

const pieces = [
  "a",
  "let x = 1",
  " ",
  "é",
  "e\u0301",
  "€",
  "中",
  "😀",
  "👩‍👩‍👧",
  "\ud83d",
  "\ude00",
  "\ufeff",
  "\u2028",
  "\n",
  "\n",
  "\r\n",
  "\r\n",
  "\r",
  "\n\n",
  ""
] as const

export interface RandomTexts {
  /** A number from 0 up to, and without, this one. */
  readonly below: (most: number) => number
  readonly text: (pieces: number) => string
  /** Changes of any place of a text with that many lines. Some positions lie outside or are swapped. */
  readonly change: (lines: number) => Change & { readonly range: NonNullable<Change["range"]> }
}

export const of = (seed: number): RandomTexts => {
  let state = seed
  /** Mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  const text = (count: number) => Array.from({ length: count }, () => pieces[below(pieces.length)]).join("")
  return {
    below,
    text,
    change: (lines) => {
      const start = { line: below(lines + 2), character: below(12) }
      const end = below(3) === 0 ? { line: start.line + below(4), character: below(12) } : start
      return { range: below(50) === 0 ? { start: end, end: start } : { start, end }, text: text(below(6)) }
    }
  }
}
