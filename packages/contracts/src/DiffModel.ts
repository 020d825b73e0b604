/** Two texts as the rows of a diff. Pure and limited: texts that are too large to compare are marked as such. */
import { breaksLikeWindows, mostChanges, terminated } from "./LineChanges.ts"
import type { FileDiff } from "./ToolCall.ts"
import { diffLines, diffWordsWithSpace } from "diff"

/** A piece of a line; `changed` pieces get the deeper tint. */
export interface Span {
  readonly text: string
  readonly changed: boolean
}

export type Row =
  | { readonly type: "same"; readonly old: number; readonly new: number; readonly text: string }
  | { readonly type: "del"; readonly old: number; readonly spans: ReadonlyArray<Span> }
  | { readonly type: "add"; readonly new: number; readonly spans: ReadonlyArray<Span> }
  /** Unchanged lines that are left out. */
  | { readonly type: "skip"; readonly rows: ReadonlyArray<Extract<Row, { readonly type: "same" }>> }

export interface DiffModel {
  readonly rows: ReadonlyArray<Row>
  readonly added: number
  readonly removed: number
  /** Whether the texts differ too much to match lines: all old lines are removed, all new ones added. */
  readonly unmatched: boolean
  /** Whether both texts are pieces of a file with a line "..." between them. Then line numbers mean nothing. */
  readonly pieces: boolean
}

export const diffSize = ({ newText, oldText }: FileDiff): number => newText.length + (oldText?.length ?? 0)

/** Lines of context around a change. */
const context = 3
/** Fewer hidden lines than this are shown, since the row in their place has no benefit. */
const smallestGap = 4

const models = new WeakMap<FileDiff, DiffModel>()

/** The model of a diff, computed once. */
export const diffModel = (diff: FileDiff): DiffModel => {
  const known = models.get(diff)
  if (known) return known
  const model = build(diff)
  models.set(diff, model)
  return model
}

const linesOf = (text: string): ReadonlyArray<string> =>
  text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")

/** Windows line breaks are shown only if the two sides differ in them. */
const build = (diff: FileDiff): DiffModel => {
  const windows = breaksLikeWindows(diff.newText) && (diff.oldText === null || breaksLikeWindows(diff.oldText))
  const unified = (text: string) => (windows ? text.replaceAll("\r\n", "\n") : text)
  return compare(diff.oldText === null ? null : unified(diff.oldText), unified(diff.newText))
}

const compare = (oldText: string | null, newText: string): DiffModel => {
  const changes =
    oldText === null
      ? [{ value: newText, added: true, removed: false }]
      : diffLines(terminated(oldText), terminated(newText), { maxEditLength: mostChanges })
  const unmatched = changes === undefined
  const all: Array<Row> = []
  let [oldAt, newAt, added, removed] = [1, 1, 0, 0]
  let waiting: ReadonlyArray<string> = []
  const release = (against: ReadonlyArray<string>) => {
    const pairs = waiting.map((line, index) => words(line, against[index]))
    for (const [index, line] of waiting.entries())
      all.push({ type: "del", old: oldAt++, spans: pairs[index]?.old ?? plain(line) })
    for (const [index, line] of against.entries())
      all.push({ type: "add", new: newAt++, spans: pairs[index]?.new ?? plain(line) })
    waiting = []
  }
  const removal = { value: terminated(oldText ?? ""), added: false, removed: true }
  for (const change of changes ?? [removal, { value: newText, added: true, removed: false }]) {
    const lines = linesOf(change.value)
    if (change.removed) {
      removed += lines.length
      waiting = lines
    } else if (change.added) {
      added += lines.length
      release(lines)
    } else {
      release([])
      for (const text of lines) all.push({ type: "same", old: oldAt++, new: newAt++, text })
    }
  }
  release([])
  const pieces = oldText !== null && /^\.\.\.$/m.test(oldText) && /^\.\.\.$/m.test(newText)
  return { rows: collapse(all), added, removed, unmatched, pieces }
}

const plain = (text: string): ReadonlyArray<Span> => [{ text, changed: false }]

const longest = 1000

/** The words that differ between two paired lines. Undefined if they have too little in common. */
const words = (
  before: string,
  after: string | undefined
): { readonly old: ReadonlyArray<Span>; readonly new: ReadonlyArray<Span> } | undefined => {
  if (after === undefined || before.length > longest || after.length > longest) return undefined
  const changes = diffWordsWithSpace(before, after)
  const kept = changes.reduce(
    (sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length),
    0
  )
  if (kept * 3 < Math.max(before.trim().length, after.trim().length)) return undefined
  const side = (other: "added" | "removed") =>
    changes
      .filter((change) => !change[other])
      .map(({ added, removed, value }) => ({ text: value, changed: added || removed }))
  return { old: side("added"), new: side("removed") }
}

const collapse = (all: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let run: Array<Extract<Row, { readonly type: "same" }>> = []
  const flush = (last: boolean) => {
    const head = rows.length === 0 ? 0 : context
    const tail = last ? 0 : context
    const gap = run.slice(head, run.length - tail)
    if (gap.length < smallestGap) rows.push(...run)
    else rows.push(...run.slice(0, head), { type: "skip", rows: gap }, ...run.slice(run.length - tail))
    run = []
  }
  for (const row of all) {
    if (row.type === "same") run.push(row)
    else {
      flush(false)
      rows.push(row)
    }
  }
  flush(true)
  return rows
}
