/** Which lines a change of the text has made, or made different. */
import type { Text, Transaction } from "@codemirror/state"

/**
 * The starts of the lines that a transaction has changed, in order, in the text after it. A line that was only parted
 * from a new one counts as unchanged. `gaps`: whether the line where whole lines went away counts.
 */
export const changedLines = (transaction: Transaction, gaps: boolean): ReadonlyArray<number> => {
  const { changes, startState, state } = transaction
  const before = startState.doc
  const after = state.doc
  const starts = new Set<number>()
  changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    if (!gaps && inserted.length === 0 && isLineStart(before, fromA) && isLineStart(before, toA)) return
    const first = after.lineAt(fromB).number
    const last = after.lineAt(toB).number
    const isAddedBelow = last > first && fromA === before.lineAt(fromA).to && inserted.line(1).length === 0
    const isAddedAbove =
      !isAddedBelow && last > first && isLineStart(before, toA) && inserted.line(inserted.lines).length === 0
    for (let line = isAddedBelow ? first + 1 : first; line <= (isAddedAbove ? last - 1 : last); line++)
      starts.add(after.line(line).from)
  }, true)
  return [...starts]
}

const isLineStart = (doc: Text, at: number): boolean => doc.lineAt(at).from === at

/** The starts of the lines that a transaction took away as a whole, in the text before it. */
export const goneLines = ({ changes, startState: { doc } }: Transaction): ReadonlySet<number> => {
  const starts = new Set<number>()
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    if (inserted.length > 0 || !isLineStart(doc, from) || !isLineStart(doc, to)) return
    const last = doc.lineAt(to).number
    for (let line = doc.lineAt(from).number; line < last; line++) starts.add(doc.line(line).from)
  }, true)
  return starts
}

/** The part of the text after a transaction that its changes touch, in whole lines: offsets. */
export const changedSpan = ({ changes, state: { doc } }: Transaction): readonly [from: number, to: number] => {
  let from = doc.length
  let to = 0
  changes.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    from = Math.min(from, doc.lineAt(fromB).from)
    to = Math.max(to, doc.lineAt(toB).to)
  })
  return [from, Math.max(from, to)]
}
