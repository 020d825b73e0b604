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
  /** Those of them that an answer goes to: all that were there when the row was opened, unless people choose otherwise. */
  readonly chosen: ReadonlySet<RequestId>
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
      chosen: new Set(),
      turn: 0,
      own: new Set(),
      notice: undefined,
      isPaused: false
    },
    threads
  )

/** Opens a row. */
const open = (state: InboxState, row: InboxRow | undefined): InboxState => {
  const ids = row === undefined ? [] : idsOf(row)
  return {
    ...state,
    current: row,
    index: row === undefined ? state.index : Math.max(0, state.rows.indexOf(row)),
    ids,
    chosen: new Set(ids),
    turn: state.turn + 1,
    isPaused: false
  }
}

/** Has the answer go to a request of the open row, or not. */
export const include = (state: InboxState, id: RequestId, isIncluded: boolean): InboxState => ({
  ...state,
  chosen: new Set(isIncluded ? [...state.chosen, id] : [...state.chosen].filter((other) => other !== id))
})

/** The requests that the open card stands for. What was left out is another request. */
const meant = ({ chosen, ids }: InboxState): ReadonlyArray<RequestId> => {
  const found = ids.filter((id) => chosen.has(id))
  return found.length === 0 ? ids : found
}

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
  const ids = meant(before)
  const current = rowWith(rows, ids)
  if (current !== undefined) return going(state, current)
  if (before.isPaused) return state
  const isGone = before.current !== undefined
  if (!isGone || ids.every((id) => before.own.has(id))) return open(state, afterIt(state, before.ids))
  const notice = before.current && goneSentence(before.current, ids, threads)
  return { ...state, current: undefined, ids: [], chosen: new Set(), notice, isPaused: true }
}

/** The open row goes on. If nothing was chosen and one request is left, its card is a new one. */
const going = (state: InboxState, current: InboxRow): InboxState => {
  const ids = idsOf(current)
  if (ids.length === 1 && !ids.every((id) => state.chosen.has(id))) return open(state, current)
  return { ...state, current, index: state.rows.indexOf(current), ids }
}

/** The next row. One with requests of the row that was answered comes last: people have left them out. */
const afterIt = (state: InboxState, ids: ReadonlyArray<RequestId>): InboxRow | undefined =>
  nextOf({ ...state, rows: state.rows.filter((row) => !idsOf(row).some((id) => ids.includes(id))) }) ?? nextOf(state)

export const answering = (state: InboxState, ids: ReadonlyArray<RequestId>): InboxState => ({
  ...state,
  own: new Set([...state.own, ...ids])
})

/** The answers were not taken. If their card is gone, nothing else says so. */
export const refused = (state: InboxState, ids: ReadonlyArray<RequestId>, why: string): InboxState => ({
  ...state,
  own: new Set([...state.own].filter((id) => !ids.includes(id))),
  ...(!state.ids.some((id) => ids.includes(id)) && { notice: `An answer was not taken. ${why}` })
})

/** The answers were taken: the next row opens, unless that has happened already. */
export const answered = (state: InboxState, ids: ReadonlyArray<RequestId>): InboxState => {
  if (!state.ids.some((id) => ids.includes(id))) return state
  const rows = state.rows.filter((row) => row !== state.current && idsOf(row).some((id) => !ids.includes(id)))
  const rest = state.rows.find((row) => row === state.current && idsOf(row).some((id) => !ids.includes(id)))
  return { ...open(state, nextOf({ ...state, rows }) ?? rest), notice: undefined }
}

/** What is known about the end of a request that was not answered here. */
const goneSentence = (
  { members }: InboxRow,
  ids: ReadonlyArray<RequestId>,
  threads: ReadonlyArray<WaitingThread>
): string => {
  const { thread, waiting } = members.find((member) => ids.includes(member.waiting.requestId)) ?? members[0]
  const { code, title } = titleOf(waiting)
  const isAnswered = threads.some(({ requests }) =>
    requests.some(({ answered, requestId }) => answered && requestId === waiting.requestId)
  )
  const what = `“${code === undefined ? title : `${title} a command`}” in ${proseText(thread.title)}`
  return isAnswered
    ? `${what} was answered elsewhere.`
    : `${what} is no longer open. It was withdrawn, answered elsewhere, or lost with its turn.`
}
