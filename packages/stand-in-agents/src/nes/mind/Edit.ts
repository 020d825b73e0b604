/** What a person changed last: one stretch of a text, from the first key to the last. */
import { lineBreak } from "./Lines.ts"
import type { Change, Edit } from "./Scene.ts"

const isLow = (code: number) => code >= 0xdc00 && code < 0xe000

/** How many units two texts share at their start. Never half of a character. */
const sharedStart = (one: string, other: string): number => {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at > 0 && (isLow(one.charCodeAt(at)) || isLow(other.charCodeAt(at))) ? at - 1 : at
}

/** How many units two texts share at their end, up to that many. Never half of a character. */
const sharedEnd = (one: string, other: string, most: number): number => {
  let count = 0
  while (count < most && one.charCodeAt(one.length - 1 - count) === other.charCodeAt(other.length - 1 - count)) count++
  return count > 0 && isLow(one.charCodeAt(one.length - count)) ? count - 1 : count
}

/** The one change that makes a text into another. Undefined if they are equal. */
export const difference = (before: string, after: string): Change | undefined => {
  if (before === after) return undefined
  const start = sharedStart(before, after)
  const shared = sharedEnd(before, after, Math.min(before.length, after.length) - start)
  return { start, end: before.length - shared, text: after.slice(start, after.length - shared) }
}

/** The edit without what it left as it was. Undefined if it left everything. */
export const essence = ({ at, inserted, removed }: Edit): Edit | undefined => {
  const change = difference(removed, inserted)
  return change && { at: at + change.start, removed: removed.slice(change.start, change.end), inserted: change.text }
}

const isOneLine = (text: string): boolean => !lineBreak.test(text)

/** The last edit after one more change. A change within a line that touches the edit belongs to it. */
export const followed = (last: Edit | undefined, before: string, after: string): Edit | undefined => {
  const change = difference(before, after)
  if (change === undefined) return last
  const alone = { at: change.start, removed: before.slice(change.start, change.end), inserted: change.text }
  if (last === undefined) return alone
  const end = last.at + last.inserted.length
  if (change.start > end || change.end < last.at) return alone
  const from = Math.min(last.at, change.start)
  const to = Math.max(end, change.end)
  const merged = {
    at: from,
    removed: before.slice(from, last.at) + last.removed + before.slice(end, to),
    inserted: before.slice(from, change.start) + change.text + before.slice(change.end, to)
  }
  return isOneLine(merged.removed) && isOneLine(merged.inserted) ? merged : alone
}

/** The text before the edit. */
export const undone = (text: string, { at, inserted, removed }: Edit): string =>
  text.slice(0, at) + removed + text.slice(at + inserted.length)
