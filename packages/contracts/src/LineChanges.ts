/** The number of lines that a change adds and removes. Pure and limited, and equal on the server and in the page. */
import { diffLines } from "diff"
import type { FileDiff, LineChanges } from "./ToolCall.ts"

/** Most characters, and most lines, of both texts together that are compared. */
export const largeDiff = 400_000
const mostLines = 40_000
/** Most lines that differ. Beyond that, all old lines count as removed and all new ones as added. */
export const mostChanges = 1000

const known = new WeakMap<FileDiff, { readonly lines: LineChanges | undefined }>()

/** The line changes of a diff. Undefined if the texts are too large to compare. */
export const lineChanges = (diff: FileDiff): LineChanges | undefined => {
  if (diff.lines !== undefined) return diff.lines
  const before = known.get(diff)
  if (before !== undefined) return before.lines
  const lines = count(diff)
  known.set(diff, { lines })
  return lines
}

/** The line changes of several diffs. Their common limit is that of one diff, since a call may have thousands. */
export const allLineChanges = (diffs: ReadonlyArray<FileDiff>): ReadonlyMap<FileDiff, LineChanges | undefined> => {
  let left = mostLines
  const changes = new Map<FileDiff, LineChanges | undefined>()
  for (const diff of diffs) {
    const lines = comparedLines(diff)
    if (lines <= left) {
      left -= lines
      changes.set(diff, lineChanges(diff))
    }
  }
  return changes
}

/** The number of lines to compare. 0 if comparing the texts is enough. */
const comparedLines = ({ lines, newText, oldText }: FileDiff): number => {
  if (lines !== undefined || oldText === null || oldText === newText) return 0
  if (oldText.length + newText.length > largeDiff) return 0
  const [removed, added] = [linesIn(oldText), linesIn(newText)]
  return removed === 0 || added === 0 || removed + added > mostLines ? 0 : removed + added
}

const count = ({ newText, oldText }: FileDiff): LineChanges | undefined => {
  const old = oldText ?? ""
  if (old === newText) return { added: 0, removed: 0 }
  if (old.length + newText.length > largeDiff) return undefined
  const windows = breaksLikeWindows(newText) && (oldText === null || breaksLikeWindows(old))
  const unified = (text: string) => (windows ? text.replaceAll("\r\n", "\n") : text)
  const [before, after] = [unified(old), unified(newText)]
  const [removed, added] = [linesIn(before), linesIn(after)]
  if (removed === 0 || added === 0) return { added, removed }
  if (removed + added > mostLines) return undefined
  const changes = diffLines(terminated(before), terminated(after), { maxEditLength: mostChanges })
  if (changes === undefined) return { added, removed }
  const sum = (side: "added" | "removed") =>
    changes.reduce((lines, change) => (change[side] ? lines + linesIn(change.value) : lines), 0)
  return { added: sum("added"), removed: sum("removed") }
}

/** Whether all line breaks are those of Windows. */
export const breaksLikeWindows = (text: string): boolean => !/(?<!\r)\n/.test(text)

/** Adds a missing line break at the end, so that it alone does not make the last line differ. */
export const terminated = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

const linesIn = (text: string): number => {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1
  return lines
}
