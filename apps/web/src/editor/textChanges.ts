/** The changes that make one text of another, for the editor: as many as there are changed places, each as small as it can be. */
import { lineHunks, type TextChange } from "@signalbox/contracts/LineHunks"
import { changeBetween } from "@signalbox/contracts/SmallestChange"

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

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1)

/** Behind the line break. */
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end === -1 ? text.length : end + 1
}
