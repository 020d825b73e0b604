/** Changes of texts, each as small as it can be. Pure. */
import type { TextChange } from "./LineHunks.ts"

/** The one change that makes a text of another. Undefined if both are the same. No character and no line end is cut in two. */
export const changeBetween = (before: string, after: string): TextChange | undefined => {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++
  while (cuts(before, from) || cuts(after, from)) from--
  let kept = 0
  const most = shorter - from
  while (kept < most && before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept))
    kept++
  while (cuts(before, before.length - kept) || cuts(after, after.length - kept)) kept--
  return { from, to: before.length - kept, insert: after.slice(from, after.length - kept) }
}

/**
 * Puts changes of one text in order, and leaves out what they do not change. Undefined where two overlap, which no editor applies.
 *
 * @param textOf the text from one place to another
 */
export const inOrder = (
  changes: ReadonlyArray<TextChange>,
  textOf: (from: number, to: number) => string
): ReadonlyArray<TextChange> | undefined => {
  let end = 0
  const ordered = changes.toSorted((one, other) => one.from - other.from || one.to - other.to)
  for (const { from, to } of ordered) {
    if (from > to || from < end) return undefined
    end = to
  }
  return ordered.flatMap(({ from, insert, to }) => {
    const change = changeBetween(textOf(from, to), insert)
    return change === undefined ? [] : [{ from: from + change.from, to: from + change.to, insert: change.insert }]
  })
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
