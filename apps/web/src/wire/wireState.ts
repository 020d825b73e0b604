/** What a page knows of a wire, and which of its rows people want to see. Pure. */
import type { WireRow } from "@signalbox/contracts/Wire"
import type { WireNews } from "../connection/wire.ts"

export interface WireState {
  /** The names of the places: Signalbox, the parts of the chain, the agent. */
  readonly places: ReadonlyArray<string>
  /** In the order of their lines. */
  readonly rows: ReadonlyArray<WireRow>
  /** How many rows before the first one are not here. */
  readonly left: number
  /** Why lines are missing. */
  readonly faults: ReadonlyArray<string>
  /** Whether all that was recorded has come. */
  readonly isCurrent: boolean
  /** Whether there is no record, or none any more. */
  readonly isOver: boolean
  /** Whether the next frame begins with the latest rows again. */
  readonly isAgain: boolean
}

export const nothing: WireState = {
  places: [],
  rows: [],
  left: 0,
  faults: [],
  isCurrent: false,
  isOver: false,
  isAgain: false
}

/** Faults that a page keeps: the latest ones. */
const mostFaults = 10

/**
 * The state with what has come. What is known stays until the first frame of a stream that begins again. With more rows than `most`,
 * the oldest are left out.
 */
export const withNews = (before: WireState, news: ReadonlyArray<WireNews>, most: number): WireState => {
  let state = before
  for (const one of news) state = withOne(state, one)
  const over = state.rows.length - most
  return over <= 0 ? state : { ...state, rows: state.rows.slice(over), left: state.left + over }
}

const withOne = (known: WireState, frame: WireNews): WireState => {
  if (frame.type === "begin") return { ...known, isAgain: true }
  if (frame.type === "gone") return { ...known, isOver: true }
  const state = known.isAgain ? nothing : known
  switch (frame.type) {
    case "places":
      return { ...state, places: frame.places }
    case "rows":
      return { ...state, rows: merged(state.rows, frame.rows), left: state.left + (frame.left ?? 0) }
    case "fault":
      return { ...state, faults: [...new Set([...state.faults, frame.reason])].slice(-mostFaults) }
    case "current":
      return { ...state, isCurrent: true }
  }
}

/** The rows with others, which take the places of those with their lines. What is before the first is gone already. */
const merged = (rows: ReadonlyArray<WireRow>, news: ReadonlyArray<WireRow>): ReadonlyArray<WireRow> => {
  const all = [...rows]
  for (const row of news) {
    const at = placeOf(all, row.line)
    if (all[at]?.line === row.line) all[at] = row
    else if (at > 0 || rows.length === 0) all.splice(at, 0, row)
  }
  return all
}

/** The index at which a line stands, or would stand. */
const placeOf = (rows: ReadonlyArray<WireRow>, line: number): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle]?.line ?? line) < line) low = middle + 1
    else high = middle
  }
  return low
}

/** What people want to see. `hop`: what passes between this place and the next one. */
export interface WireFilter {
  readonly text: string
  readonly hop: number | undefined
  readonly only: "changed" | "open" | "errors" | undefined
}

export const everything: WireFilter = { text: "", hop: undefined, only: undefined }

export const isOpen = ({ kind, missed, pair }: WireRow): boolean =>
  kind === "request" && pair === undefined && missed !== true

const fits = {
  changed: ({ changed }: WireRow) => changed !== undefined,
  open: isOpen,
  errors: ({ error }: WireRow) => error === true
}

export const countOf = (rows: ReadonlyArray<WireRow>, only: keyof typeof fits): number => rows.filter(fits[only]).length

export const shownOf = (rows: ReadonlyArray<WireRow>, { hop, only, text }: WireFilter): ReadonlyArray<WireRow> => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    if (only !== undefined && !fits[only](row)) return false
    if (hop !== undefined && (Math.min(row.from, row.to) > hop || Math.max(row.from, row.to) < hop + 1)) return false
    const said = `${row.method ?? row.kind} ${row.id ?? ""} ${row.summary}`.toLowerCase()
    return words.every((word) => said.includes(word))
  })
}
