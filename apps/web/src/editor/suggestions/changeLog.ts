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

/** Whoever reports more rarely than that reports the whole text. */
const longest = 1000

/** The latest version of a document. */
export const changeLog = StateField.define<Version>({
  create: ({ doc }) => ({ number: 1, doc, made: undefined, depth: 0 }),
  update: (before, { changes, docChanged, newDoc }) => {
    if (!docChanged) return before
    const isCut = before.depth >= longest
    return {
      number: before.number + 1,
      doc: newDoc,
      made: isCut ? undefined : { from: before, changes },
      depth: isCut || before.made === undefined ? 0 : before.depth + 1
    }
  }
})

/** The changes that lead from one version to a later one, in order. Undefined if the log does not reach back. */
export const changesBetween = (from: Version, to: Version): ReadonlyArray<ChangeSet> | undefined => {
  const sets: Array<ChangeSet> = []
  for (let at = to; at !== from; at = at.made.from) {
    if (at.made === undefined) return undefined
    sets.push(at.made.changes)
  }
  return sets.reverse()
}

/** Nobody asks for what was before this version any more. */
export const forgetBefore = (version: Version): void => {
  version.made = undefined
}
