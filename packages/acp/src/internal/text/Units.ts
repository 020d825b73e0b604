/**
 * Counts the characters of a text in each encoding. Places in a text are UTF-16 offsets. A surrogate
 * without its other half has three bytes in `utf-8`, as its stand-in U+FFFD has.
 */
import type { PositionEncoding } from "./Position.ts"

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00
const isLow = (code: number) => code >= 0xdc00 && code < 0xe000

/** Whether the offset lies between the two halves of a surrogate pair. */
export const splitsPair = (text: string, offset: number): boolean =>
  offset > 0 && offset < text.length && isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1))

const isPairAt = (text: string, offset: number, code: number): boolean =>
  isHigh(code) && offset + 1 < text.length && isLow(text.charCodeAt(offset + 1))

/** How many units the text has from one offset up to another. Neither may split a pair. */
export const between = (text: string, from: number, to: number, encoding: PositionEncoding): number => {
  if (encoding === "utf-16") return to - from
  const bytes = encoding === "utf-8"
  let units = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) units += 1
    else if (isPairAt(text, at, code)) {
      units += bytes ? 4 : 1
      at += 1
    } else units += bytes ? (code < 0x800 ? 2 : 3) : 1
  }
  return units
}

/** An offset, and the units that were asked for and lie after it. */
export interface Reached {
  readonly offset: number
  /** Zero where the units end exactly at the offset. */
  readonly left: number
}

/** Goes that many units from an offset, and stops at `to`, or before the character that would be cut. */
export const advance = (text: string, from: number, to: number, units: number, encoding: PositionEncoding): Reached => {
  if (encoding === "utf-16") {
    const offset = from + Math.min(units, to - from)
    return splitsPair(text, offset) ? { offset: offset - 1, left: 1 } : { offset, left: units - (offset - from) }
  }
  const bytes = encoding === "utf-8"
  let left = units
  let at = from
  while (at < to && left > 0) {
    const code = text.charCodeAt(at)
    const isPair = code >= 0x80 && isPairAt(text, at, code)
    const size = code < 0x80 || !bytes ? 1 : isPair ? 4 : code < 0x800 ? 2 : 3
    if (size > left) break
    left -= size
    at += isPair ? 2 : 1
  }
  return { offset: at, left }
}
