/** The latest of a thread: so many turns, and the entries that go with them. It is what clients get first, and what stays in memory. */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { isOpen } from "@signalbox/threads/OpenItem"
import { hasEnded } from "@signalbox/threads/TurnState"
import { weightOfItem } from "../base/EventWeight.ts"
import { cursorAt } from "./Cursors.ts"
import * as Entries from "./Entries.ts"
import * as ThreadState from "./ThreadState.ts"

/** It may become so many times as much before something leaves: looking for what may go costs as much as there is. */
const spare = 1.5

/** Positions of the first turn and of the first entry of a window. */
interface Beginning {
  readonly turn: number
  readonly item: number
}

/** The latest of the thread, as far as it is at hand; nothing before `thread.created`. */
export const latest = (state: ThreadState.ThreadState, turnLimit: number): ThreadView | undefined => {
  if (state.head === undefined) return undefined
  const window = beginningOf(state, turnLimit)
  const entries = Entries.from(state.entries, window.item)
  return {
    ...state.head,
    turns: turnsIn(state, window, entries),
    items: entries.map(({ item }) => item),
    ...(window.item > 1 && { earlier: cursorAt(window.item), earlierCount: window.item - 1 })
  }
}

/** Lets go of what stands before the window, if that has become much. All of the state is folded. */
export const shorten = (state: ThreadState.ThreadState): void => {
  const { entries, head, places } = state
  if (head === undefined || !isTooMuch(state)) return
  const start = beginningOf(state, state.within.turns)
  const turns = turnsIn(state, start, Entries.from(entries, start.item))
  const kept = new Set(turns.map(({ turnId }) => turnId))
  for (const turnId of places.byId.keys()) if (!kept.has(turnId)) places.byId.delete(turnId)
  const going = new Set(turns.filter(({ status }) => !hasEnded(status)).map(({ turnId }) => turnId))
  for (const entry of entries.byId.values()) {
    if (entry.position >= start.item || isNeeded(entry, going)) continue
    const { itemId, turnId } = entry.item
    Entries.remove(entries, entry)
    if (turnId !== undefined) places.byId.get(turnId)?.departed?.add(itemId)
  }
  state.head = { ...head, turns }
  ThreadState.beginAt(state, start.item)
}

const isTooMuch = ({ entries, places, within }: ThreadState.ThreadState): boolean =>
  entries.byId.size > spare * within.items ||
  entries.weight > spare * mostWeightOf(within) ||
  places.byId.size > spare * within.turns

const mostWeightOf = ({ weight = Number.POSITIVE_INFINITY }: ThreadState.ThreadState["within"]): number => weight

/** The beginning of the latest turns, `turnLimit` of them: the position of the first of them, and that of their first entry. */
const beginningOf = (state: ThreadState.ThreadState, turnLimit: number): Beginning => {
  const begun = [...state.places.byId.values()].filter(({ firstItem }) => firstItem !== undefined)
  const first = begun.sort((one, other) => other.position - one.position)[turnLimit - 1]
  const item = Math.max(first?.firstItem ?? 1, state.entries.next - state.within.items, state.begins)
  return { turn: first?.position ?? 0, item: Math.max(item, lightest(state, item)) }
}

/** From where on entries are not too much together; the last one is not, whatever it weighs. */
const lightest = ({ entries, within }: ThreadState.ThreadState, from: number): number => {
  const mostWeight = mostWeightOf(within)
  if (entries.weight <= mostWeight) return from
  let sum = 0
  let start = entries.next
  for (const { item, position } of Entries.from(entries, from).toReversed()) {
    if (sum >= mostWeight) break
    sum += weightOfItem(item)
    start = position
  }
  return start
}

/** The turns that belong to a window: its own, those of its entries, and all that are not over. */
const turnsIn = (
  { head, places }: ThreadState.ThreadState,
  window: Beginning,
  entries: ReadonlyArray<Entries.Entry>
): ReadonlyArray<TurnView> => {
  const shown = new Set(entries.map(({ item }) => item.turnId))
  const belongs = ({ status, turnId }: TurnView) =>
    !hasEnded(status) || shown.has(turnId) || (places.byId.get(turnId)?.position ?? 0) >= window.turn
  return head?.turns.filter(belongs) ?? []
}

/** A turn that goes on ends its open entries when it ends, and an agent what outlives them. */
const isNeeded = ({ item }: Entries.Entry, going: ReadonlySet<TurnId>): boolean =>
  isOpen(item) &&
  (item.type === "subagent" || item.type === "compaction" || (item.turnId !== undefined && going.has(item.turnId)))
