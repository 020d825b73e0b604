/** What the inbox shows, and what becomes of that when requests come and go. Pure. */
import type { RequestId } from "@signalbox/contracts/Ids"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import { proseText } from "../text/Revealed.tsx"
import { type Filter, idsOf, type InboxRow, isIn, rowsOf } from "./inboxRows.ts"
import { titleOf } from "./inboxWords.ts"

export interface InboxState {
  readonly threads: ReadonlyArray<WaitingThread>
  /** All rows, and those of the chosen kind. */
  readonly all: ReadonlyArray<InboxRow>
  readonly rows: ReadonlyArray<InboxRow>
  readonly filter: Filter
  /** The open row, its place, and its requests. */
  readonly current: InboxRow | undefined
  readonly index: number
  readonly ids: ReadonlyArray<RequestId>
  /** Counts what was opened: the card of each is a new one, and inert at first. */
  readonly turn: number
  /** Requests that are being answered here, or were. */
  readonly own: ReadonlySet<RequestId>
  /** What became of the request that was open, in a sentence. */
  readonly notice: string | undefined
  /** The open request is gone, and nothing else is opened yet: a key that was meant for it answers nothing. */
  readonly isPaused: boolean
}

export const initial = (threads: ReadonlyArray<WaitingThread>): InboxState =>
  withThreads(
    {
      threads: [],
      all: [],
      rows: [],
      filter: "all",
      current: undefined,
      index: 0,
      ids: [],
      turn: 0,
      own: new Set(),
      notice: undefined,
      isPaused: false
    },
    threads
  )

/** Opens a row. */
const open = (state: InboxState, row: InboxRow | undefined): InboxState => ({
  ...state,
  current: row,
  index: row === undefined ? state.index : Math.max(0, state.rows.indexOf(row)),
  ids: row === undefined ? [] : idsOf(row),
  turn: state.turn + 1,
  isPaused: false
})

/** Opens a row because people want it. An earlier notice goes. */
export const choose = (state: InboxState, row: InboxRow): InboxState =>
  // What was begun with the open card stays.
  row === state.current ? { ...state, notice: undefined } : { ...open(state, row), notice: undefined }

export const step = (state: InboxState, by: 1 | -1): InboxState => {
  const row = state.current === undefined ? nextOf(state) : state.rows[state.index + by]
  return row === undefined ? state : choose(state, row)
}

/** The row at the place of the one that is gone, else the last one. */
const nextOf = ({ index, rows }: InboxState): InboxRow | undefined => rows[Math.min(index, rows.length - 1)]

export const resume = (state: InboxState): InboxState => (state.isPaused ? open(state, nextOf(state)) : state)

export const filtered = (state: InboxState, filter: Filter): InboxState => {
  const rows = state.all.filter((row) => isIn(filter, row))
  const row = rowWith(rows, state.ids)
  const now = { ...state, filter, rows, notice: undefined }
  return row === undefined ? open(now, rows[0]) : { ...now, current: row, index: rows.indexOf(row) }
}

/** The row with the first of these requests that still waits. */
const rowWith = (rows: ReadonlyArray<InboxRow>, ids: ReadonlyArray<RequestId>): InboxRow | undefined => {
  for (const id of ids) {
    const found = rows.find((row) => idsOf(row).includes(id))
    if (found !== undefined) return found
  }
  return undefined
}

/** Takes what waits now. */
export const withThreads = (before: InboxState, threads: ReadonlyArray<WaitingThread>): InboxState => {
  const all = rowsOf(threads)
  const rows = all.filter((row) => isIn(before.filter, row))
  const state = { ...before, threads, all, rows }
  const current = rowWith(rows, before.ids)
  if (current !== undefined) return { ...state, current, index: rows.indexOf(current), ids: idsOf(current) }
  if (before.isPaused) return state
  const isGone = before.current !== undefined
  if (!isGone || before.ids.every((id) => before.own.has(id))) return open(state, nextOf(state))
  const notice = before.current && goneSentence(before.current, threads)
  return { ...state, current: undefined, ids: [], notice, isPaused: true }
}

export const answering = (state: InboxState, ids: ReadonlyArray<RequestId>): InboxState => ({
  ...state,
  own: new Set([...state.own, ...ids])
})

/** The answers were not taken. */
export const refused = (state: InboxState, ids: ReadonlyArray<RequestId>): InboxState => ({
  ...state,
  own: new Set([...state.own].filter((id) => !ids.includes(id)))
})

/** The answers were taken: the next row opens, unless that has happened already. */
export const answered = (state: InboxState, ids: ReadonlyArray<RequestId>): InboxState => {
  if (!state.ids.some((id) => ids.includes(id))) return state
  const rows = state.rows.filter((row) => row !== state.current && idsOf(row).some((id) => !ids.includes(id)))
  const rest = state.rows.find((row) => row === state.current && idsOf(row).some((id) => !ids.includes(id)))
  return { ...open(state, nextOf({ ...state, rows }) ?? rest), notice: undefined }
}

/** What is known about the end of a request that was not answered here. */
const goneSentence = ({ members }: InboxRow, threads: ReadonlyArray<WaitingThread>): string => {
  const [{ thread, waiting }] = members
  const { code, title } = titleOf(waiting)
  const isAnswered = threads.some(({ requests }) =>
    requests.some(({ answered, requestId }) => answered && requestId === waiting.requestId)
  )
  const what = `“${code === undefined ? title : `${title} a command`}” in ${proseText(thread.title)}`
  return isAnswered
    ? `${what} was answered elsewhere.`
    : `${what} is no longer open. It was withdrawn, or answered elsewhere.`
}
