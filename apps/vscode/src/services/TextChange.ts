/** The change that makes one text of another: the smallest single replacement. Pure. */

export interface TextChange {
  /** Offsets in the text before, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Undefined if both are the same. No character and no line end is cut in two. */
export const between = (before: string, after: string): TextChange | undefined => {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  while (cuts(before, start) || cuts(after, start)) start--
  let kept = 0
  const most = shorter - start
  while (kept < most && before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept))
    kept++
  while (cuts(before, before.length - kept) || cuts(after, after.length - kept)) kept--
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) }
}

/** Whether the place is within a pair of surrogates, or within CR LF. */
const cuts = (text: string, at: number): boolean => {
  if (at <= 0 || at >= text.length) return false
  const left = text.charCodeAt(at - 1)
  const right = text.charCodeAt(at)
  return (left === 0x0d && right === 0x0a) || (isHigh(left) && isLow(right))
}

const isHigh = (unit: number): boolean => unit >= 0xd8_00 && unit < 0xdc_00
const isLow = (unit: number): boolean => unit >= 0xdc_00 && unit < 0xe0_00
