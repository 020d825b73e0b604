/**
 * Marks of the lines that came from the disk while the file was open, with their authors. A new turn takes away the marks that
 * people have seen. The others stay for one turn more. Lines that people change themselves have no mark.
 */
import type { TurnId } from "@signalbox/contracts/Ids"
import {
  type EditorState,
  Facet,
  MapMode,
  RangeSet,
  StateEffect,
  StateField,
  type Transaction
} from "@codemirror/state"
import { GutterMarker } from "@codemirror/view"
import { type AgentWork, noWork } from "./AgentWork.ts"
import { type Author, authorOf, type DiskChange } from "./Author.ts"
import { changedLines, changedSpan, goneLines } from "./changedLines.ts"
import { fromDisk, workChanged } from "./disk.ts"

/** People have seen the lines that begin between two offsets. */
export const linesSeen = StateEffect.define<{ readonly from: number; readonly to: number }>()

/** The path of the file. */
export const markedPath = Facet.define<string, string>({ combine: ([path]) => path ?? "" })

/** The mark of one line, at its start. */
export class AuthorMark extends GutterMarker {
  readonly change: DiskChange
  /** The turn that was the latest one when the line came. */
  readonly turn: TurnId | undefined
  readonly isSeen: boolean
  readonly author: Author
  /** A line stays marked when the lines above it go away. */
  override mapMode = MapMode.TrackDel
  constructor(change: DiskChange, turn: TurnId | undefined, isSeen: boolean, author: Author) {
    super()
    this.change = change
    this.turn = turn
    this.isSeen = isSeen
    this.author = author
    this.elementClass = author.isWriting && author.by === "agent" ? "cm-byWriting" : `cm-by-${author.by}`
  }
  override eq(other: AuthorMark) {
    return other.elementClass === this.elementClass
  }
}

export interface Authored {
  readonly work: AgentWork
  readonly marks: RangeSet<AuthorMark>
}

export const authored = StateField.define<Authored>({
  create: () => ({ work: noWork, marks: RangeSet.empty }),
  update: (before, transaction) => {
    let { marks, work } = before
    if (transaction.docChanged) marks = moved(marks, work, transaction)
    for (const effect of transaction.effects) {
      if (effect.is(workChanged)) {
        marks = renewed(marks, work, effect.value, transaction.state)
        work = effect.value
      }
      if (effect.is(linesSeen)) marks = seen(marks, effect.value)
    }
    return marks === before.marks && work === before.work ? before : { marks, work }
  }
})

const moved = (marks: RangeSet<AuthorMark>, work: AgentWork, transaction: Transaction): RangeSet<AuthorMark> => {
  const { changes, state } = transaction
  const change = transaction.annotation(fromDisk)
  const starts = new Set(changedLines(transaction, false))
  const path = state.facet(markedPath)
  const [filterFrom, filterTo] = changedSpan(transaction)
  // A line that was put together of several has one mark.
  const known = new Set<number>()
  const gone = goneLines(transaction)
  const left = gone.size === 0 ? marks : marks.update({ filter: (from) => !gone.has(from) })
  const kept = left.map(changes).update({
    filterFrom,
    filterTo,
    filter: (from) => {
      if (starts.has(from) || known.has(from) || state.doc.lineAt(from).from !== from) return false
      known.add(from)
      return true
    }
  })
  if (change === undefined) return kept
  return kept.update({
    add: [...starts].map((start) =>
      new AuthorMark(change, work.turn, false, authorOf(work, path, change, state.doc.lineAt(start).text)).range(start)
    )
  })
}

/** The marks after something else is known of the agent's work. */
const renewed = (
  marks: RangeSet<AuthorMark>,
  before: AgentWork,
  work: AgentWork,
  state: EditorState
): RangeSet<AuthorMark> => {
  const path = state.facet(markedPath)
  return mapped(marks, (mark, from) => {
    const { change, isSeen, turn } = mark
    if (isSeen && before.turn !== work.turn) return undefined
    // What was known at the end of a turn stays known.
    if (turn !== work.turn) return mark
    return new AuthorMark(change, turn, isSeen, authorOf(work, path, change, state.doc.lineAt(from).text))
  })
}

const seen = (marks: RangeSet<AuthorMark>, { from, to }: { readonly from: number; readonly to: number }) =>
  mapped(marks, (mark, at) =>
    mark.isSeen || at < from || at > to ? mark : new AuthorMark(mark.change, mark.turn, true, mark.author)
  )

const mapped = (
  marks: RangeSet<AuthorMark>,
  map: (mark: AuthorMark, from: number) => AuthorMark | undefined
): RangeSet<AuthorMark> =>
  marks.size === 0 ? marks : RangeSet.of(marksOf(marks).flatMap(({ from, mark }) => map(mark, from)?.range(from) ?? []))

const marksOf = (marks: RangeSet<AuthorMark>) => {
  const found: Array<{ readonly from: number; readonly mark: AuthorMark }> = []
  for (const iter = marks.iter(); iter.value !== null; iter.next()) found.push({ from: iter.from, mark: iter.value })
  return found
}

/** Lines one after the other with the same author. Lines from 1. */
export interface AuthorRun {
  readonly first: number
  readonly last: number
  readonly author: Author
}

/** The marked lines, from the top. */
export const runsOf = (state: EditorState): ReadonlyArray<AuthorRun> => {
  const runs: Array<{ first: number; last: number; author: Author }> = []
  for (const { from, mark } of marksOf(state.field(authored).marks)) {
    const { number } = state.doc.lineAt(from)
    const before = runs.at(-1)
    if (before?.last === number - 1 && before.author.label === mark.author.label) before.last = number
    else runs.push({ first: number, last: number, author: mark.author })
  }
  return runs
}

/** Whether a mark that nobody has seen begins between two offsets. */
export const hasUnseen = (state: EditorState, from: number, to: number): boolean => {
  let isUnseen = false
  state.field(authored).marks.between(from, to, (at, _to, { isSeen }) => {
    if (!isSeen && at >= from) isUnseen = true
    return isUnseen ? false : undefined
  })
  return isUnseen
}
