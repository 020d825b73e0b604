/** What was typed in a document, by version: enough to report each change, and no more is kept. */
import { type ChangeSet, StateField, type Text } from "@codemirror/state"

/** A version of a document, and how it was made. */
export interface Version {
  readonly number: number
  readonly doc: Text
  /** Undefined where the log begins, and where its beginning was cut off. */
  made: { readonly from: Version; readonly changes: ChangeSet } | undefined
  /** How many versions there are before it in the log. */
  readonly depth: number
}

/** Whoever reports more rarely than that reports the whole text. Up to twice as many versions are kept. */
const longest = 256

/** The latest version of a document. */
export const changeLog = StateField.define<Version>({
  create: ({ doc }) => ({ number: 1, doc, made: undefined, depth: 0 }),
  update: (before, { changes, docChanged, newDoc }) => {
    if (!docChanged) return before
    const made = { from: before, changes }
    const depth = before.depth + 1
    return { number: before.number + 1, doc: newDoc, made, depth: depth < 2 * longest ? depth : cutBehind(before) }
  }
})

/** Cuts the log off behind the latest versions. Returns how many are before the next one then. */
const cutBehind = (latest: Version): number => {
  let oldest = latest
  for (let kept = 1; kept < longest; kept++) oldest = oldest.made?.from ?? oldest
  oldest.made = undefined
  return longest
}

/** The changes that lead from one version to a later one, in order. Undefined if the log does not reach back. */
export const changesBetween = (from: Version, to: Version): ReadonlyArray<ChangeSet> | undefined => {
  const sets: Array<ChangeSet> = []
  for (let at = to; at !== from; at = at.made.from) {
    if (at.made === undefined) return undefined
    sets.push(at.made.changes)
  }
  return sets.reverse()
}

/** An earlier version by its number. Undefined if the log does not reach back to it. */
export const versionBefore = (latest: Version, number: number): Version | undefined => {
  let at: Version | undefined = latest
  while (at !== undefined && at.number > number) at = at.made?.from
  return at?.number === number ? at : undefined
}
