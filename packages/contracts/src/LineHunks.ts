/** What makes one text of another, line by line. Pure and limited. */
import { diffLines } from "diff"
import { largeDiff, mostChanges } from "./LineChanges.ts"

/** Replaces the characters from `from` to `to` of the text before. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The changed lines, each run of them as one change, in order. Undefined if the texts are too large or differ too much. */
export const lineHunks = (before: string, after: string): ReadonlyArray<TextChange> | undefined => {
  if (before.length + after.length > largeDiff) return undefined
  const parts = diffLines(before, after, { maxEditLength: mostChanges })
  if (parts === undefined) return undefined
  const hunks: Array<{ from: number; to: number; insert: string }> = []
  let at = 0
  let open: (typeof hunks)[number] | undefined
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length
      open = undefined
      continue
    }
    if (open === undefined) {
      open = { from: at, to: at, insert: "" }
      hunks.push(open)
    }
    if (added) open.insert += value
    else {
      at += value.length
      open.to = at
    }
  }
  return hunks
}
