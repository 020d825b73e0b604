/** How many lines a change adds and removes. Pure and bounded, and the same on the server and in the page. */
import { diffLines } from "diff"
import type { FileDiff, LineChanges } from "./ToolCall.ts"

/** Characters, and lines, of both texts together that are compared. */
export const largeDiff = 400_000
const mostLines = 40_000
/** Lines that differ: beyond this all of the old text counts as removed, and all of the new one as added. */
export const mostChanges = 1000

const known = new WeakMap<FileDiff, { readonly lines: LineChanges | undefined }>()

/** Undefined where the texts are too large to be compared. */
export const lineChanges = (diff: FileDiff): LineChanges | undefined => {
  if (diff.lines !== undefined) return diff.lines
  const before = known.get(diff)
  if (before !== undefined) return before.lines
  const lines = count(diff)
  known.set(diff, { lines })
  return lines
}

/** Those of several changes, by change. All of them together are compared no further than one may be: a call may hold thousands. */
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

/** How many lines have to be compared; none where a look at the texts is enough. */
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

/** Whether all line breaks are those of Windows: they are shown as such only where the two sides differ in them. */
export const breaksLikeWindows = (text: string): boolean => !/(?<!\r)\n/.test(text)

/** A missing line break at the end of one text only must not make its last line differ. */
export const terminated = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

const linesIn = (text: string): number => {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1
  return lines
}
