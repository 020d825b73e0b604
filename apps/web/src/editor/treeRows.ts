/** The rows of the tree of files, and where keys lead in it. Pure. */
import type { FolderEntry, FolderFrame } from "@signalbox/contracts/FolderEntries"
import type { Problem } from "@signalbox/contracts/Problem"

/** `depth`: from 0. `place`: from 1, among the `of` entries of its folder. */
export interface EntryRow extends FolderEntry {
  readonly type: "entry"
  /** From the folder of the thread. */
  readonly path: string
  readonly depth: number
  readonly place: number
  readonly of: number
  /** Whether a folder shows what it holds. */
  readonly isOpen: boolean
}

/** What is said in the place of entries, or behind them. */
export interface NoteRow {
  readonly type: "reading" | "empty" | "cut" | "refused"
  readonly path: string
  readonly depth: number
  readonly problem?: Problem
}

export type Row = EntryRow | NoteRow

/** The most rows that are shown. A tree with more open folders ends there. */
export const mostRows = 5000

/** The visible rows, in order. `frames`: what is known of folders, by their paths; the folder of the thread is "". */
export const rowsOf = (
  frames: ReadonlyMap<string, FolderFrame>,
  open: ReadonlySet<string>
): { readonly rows: ReadonlyArray<Row>; readonly isCut: boolean } => {
  const rows: Array<Row> = []
  const add = (folder: string, depth: number): void => {
    const frame = frames.get(folder)
    if (frame === undefined) {
      rows.push({ type: "reading", path: folder, depth })
      return
    }
    if (frame.type === "refused") {
      rows.push({ type: "refused", path: folder, depth, problem: frame.problem })
      return
    }
    const { entries, isCut } = frame
    if (entries.length === 0) rows.push({ type: "empty", path: folder, depth })
    for (const [index, entry] of entries.entries()) {
      if (rows.length >= mostRows) return
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      const isOpen = entry.kind === "folder" && open.has(path)
      rows.push({ ...entry, type: "entry", path, depth, place: index + 1, of: entries.length, isOpen })
      if (isOpen) add(path, depth + 1)
    }
    if (isCut) rows.push({ type: "cut", path: folder, depth })
  }
  add("", 0)
  return { rows: rows.slice(0, mostRows), isCut: rows.length >= mostRows }
}

/** The folders above a path, the outermost first. */
export const foldersAbove = (path: string): ReadonlyArray<string> => {
  const parts = path.split("/").slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"))
}

/** What a key does: it goes to a row, or it opens or closes a folder, or it opens a file. */
export type Act =
  | { readonly type: "go"; readonly path: string }
  | { readonly type: "unfold" | "fold" | "open"; readonly path: string }

/** What a key does at a row. Undefined if the tree doesn't take it. */
export const actOf = (rows: ReadonlyArray<Row>, active: string | undefined, key: string): Act | undefined => {
  const entries = entriesOf(rows)
  const at = entries.findIndex(({ path }) => path === active)
  const row = entries[at]
  const go = (index: number): Act | undefined => {
    const next = entries[Math.min(entries.length - 1, Math.max(0, index))]
    return next && { type: "go", path: next.path }
  }
  switch (key) {
    case "ArrowDown":
      return go(at + 1)
    case "ArrowUp":
      return go(at - 1)
    case "PageDown":
      return go(at + 10)
    case "PageUp":
      return go(at - 10)
    case "Home":
      return go(0)
    case "End":
      return go(entries.length - 1)
    case "ArrowRight":
      if (row?.kind !== "folder") return undefined
      return row.isOpen ? go(at + 1) : { type: "unfold", path: row.path }
    case "ArrowLeft": {
      if (row?.isOpen) return { type: "fold", path: row.path }
      const above = row && foldersAbove(row.path).at(-1)
      return above === undefined ? undefined : { type: "go", path: above }
    }
    case "Enter":
    case " ":
      if (row === undefined) return undefined
      if (row.kind === "folder") return { type: row.isOpen ? "fold" : "unfold", path: row.path }
      return { type: "open", path: row.path }
    default:
      return undefined
  }
}

/** The next row whose name begins with the letters. A single letter goes on from the row that it is at. */
export const withName = (rows: ReadonlyArray<Row>, active: string | undefined, letters: string): string | undefined => {
  const entries = entriesOf(rows)
  const at = Math.max(
    0,
    entries.findIndex(({ path }) => path === active)
  )
  const first = letters.length === 1 ? at + 1 : at
  const wanted = letters.toLowerCase()
  for (let step = 0; step < entries.length; step++) {
    const entry = entries[(first + step) % entries.length]
    if (entry?.name.toLowerCase().startsWith(wanted)) return entry.path
  }
  return undefined
}

const entriesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<EntryRow> => rows.filter((row) => row.type === "entry")
