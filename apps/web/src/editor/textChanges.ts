/** The changes that make one text of another, for the editor: as many as there are changed places, each as small as it can be. */
import { lineHunks, type TextChange } from "@signalbox/contracts/LineHunks"

/** What changed between two texts, in order. Texts that can't be compared line by line have one change at most. */
export type { TextChange }

export const changesBetween = (before: string, after: string): ReadonlyArray<TextChange> => {
  const whole = changeBetween(before, after)
  if (whole === undefined) return []
  // Only whole lines are compared, so what is equal around them costs nothing.
  const from = lineStart(before, whole.from)
  const behind = before.length - lineEnd(before, whole.to)
  const hunks = lineHunks(before.slice(from, before.length - behind), after.slice(from, after.length - behind))
  if (hunks === undefined) return [whole]
  return hunks.flatMap((hunk) => {
    const start = from + hunk.from
    const change = changeBetween(before.slice(start, from + hunk.to), hunk.insert)
    return change === undefined ? [] : [{ from: start + change.from, to: start + change.to, insert: change.insert }]
  })
}

/** The one change that makes a text of another. Undefined if they are equal. */
export const changeBetween = (before: string, after: string): TextChange | undefined => {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1
  // Half a character is never cut off.
  if (from > 0 && isHigh(before.charCodeAt(from - 1))) from -= 1
  let behind = 0
  while (
    behind < shorter - from &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  )
    behind += 1
  if (behind > 0 && isLow(before.charCodeAt(before.length - behind))) behind -= 1
  return { from, to: before.length - behind, insert: after.slice(from, after.length - behind) }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1)

/** Behind the line break. */
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end === -1 ? text.length : end + 1
}
