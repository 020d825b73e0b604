/** How changes are drawn: what is inserted in a line, whole new lines, and lines that become others. */
import type { Line, Text } from "@codemirror/state"
import type { Change } from "./edits.ts"

/** A part of a line that will be there. */
export interface Part {
  readonly text: string
  readonly isNew: boolean
}

/** Text in a line, of which nothing goes away. `below`: the lines that follow. */
export interface Ghost {
  readonly type: "ghost"
  readonly at: number
  readonly text: string
  readonly below: ReadonlyArray<string>
}

/** Whole lines before the line that begins at `at`. */
export interface NewLines {
  readonly type: "lines"
  readonly at: number
  readonly lines: ReadonlyArray<string>
}

/** Lines that go away or become others. */
export interface Replaced {
  readonly type: "replaced"
  /** The lines as they are, from 1. */
  readonly first: number
  readonly last: number
  readonly gone: ReadonlyArray<{ readonly from: number; readonly to: number }>
  readonly lines: ReadonlyArray<ReadonlyArray<Part>>
}

export type Hunk = Ghost | NewLines | Replaced

/** `changes`: in order, without overlaps. */
export const hunksOf = (doc: Text, changes: ReadonlyArray<Change>): ReadonlyArray<Hunk> =>
  groupsOf(
    doc,
    changes.map((change) => atLines(doc, change))
  ).flatMap((group) => drawn(doc, group))

interface Group {
  readonly first: Line
  readonly last: Line
  readonly changes: ReadonlyArray<Change>
}

/** Changes that share lines are drawn together. */
const groupsOf = (doc: Text, changes: ReadonlyArray<Change>): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const change of changes) {
    const [first, last] = [doc.lineAt(change.from), doc.lineAt(lastOf(doc, change))]
    const before = groups.at(-1)
    if (before !== undefined && first.number <= before.last.number)
      groups[groups.length - 1] = {
        first: before.first,
        last: last.number > before.last.number ? last : before.last,
        changes: [...before.changes, change]
      }
    else groups.push({ first, last, changes: [change] })
  }
  return groups
}

/** A change of whole lines begins and ends where a line begins. It makes the same text. */
const atLines = (doc: Text, { from, insert, to }: Change): Change => {
  const isAtEnds = from < to && doc.lineAt(from).to === from && doc.lineAt(to).to === to && to < doc.length
  return isAtEnds && (insert === "" || insert.startsWith("\n"))
    ? { from: from + 1, to: to + 1, insert: insert === "" ? "" : `${insert.slice(1)}\n` }
    : { from, to, insert }
}

/** Whether whole lines go away or become whole others. */
const isWhole = (doc: Text, { from, insert, to }: Change): boolean =>
  from < to && doc.lineAt(from).from === from && doc.lineAt(to).from === to && (insert === "" || insert.endsWith("\n"))

/** The last place whose line is touched. */
const lastOf = (doc: Text, change: Change): number => (isWhole(doc, change) ? change.to - 1 : change.to)

const drawn = (doc: Text, { changes, first, last }: Group): ReadonlyArray<Hunk> => {
  const [only, ...more] = changes
  if (only !== undefined && more.length === 0 && only.from === only.to) {
    const inserted = insertion(doc, only)
    if (inserted !== undefined) return [inserted]
  }
  if (changes.every(({ from, insert, to }) => from === to && !insert.includes("\n")))
    return changes.map(({ from, insert }) => ({ type: "ghost", at: from, text: insert, below: [] }))
  return [
    {
      type: "replaced",
      first: first.number,
      last: last.number,
      gone: changes.filter(({ from, to }) => from < to).map(({ from, to }) => ({ from, to })),
      lines: newLines(doc, first.from, last.to, changes)
    }
  ]
}

const insertion = (doc: Text, { from, insert }: Change): Ghost | NewLines | undefined => {
  const [text = "", ...below] = insert.split("\n")
  const line = doc.lineAt(from)
  if (below.length === 0 || doc.sliceString(from, line.to).trim() === "")
    return { type: "ghost", at: from, text, below }
  return from === line.from && insert.endsWith("\n")
    ? { type: "lines", at: from, lines: insert.slice(0, -1).split("\n") }
    : undefined
}

/** The lines as they will be, in parts. */
const newLines = (
  doc: Text,
  start: number,
  end: number,
  changes: ReadonlyArray<Change>
): ReadonlyArray<ReadonlyArray<Part>> => {
  const lines: Array<Array<Part>> = [[]]
  const add = (text: string, isNew: boolean) => {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([])
      if (part !== "") lines.at(-1)?.push({ text: part, isNew })
    }
  }
  let at = start
  for (const { from, insert, to } of changes) {
    add(doc.sliceString(at, from), false)
    add(insert, true)
    at = to
  }
  // Whole lines were changed: what follows belongs to the next line.
  if (at > end) lines.pop()
  else add(doc.sliceString(at, end), false)
  return lines
}
