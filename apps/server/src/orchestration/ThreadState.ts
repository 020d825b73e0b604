/**
 * One thread in memory: what is known of it, and the latest of its transcript. What is settled and older leaves after a fold, and
 * is brought back when something still happens to it. Synchronous; whoever drives it keeps the store in step.
 */
import type { ItemId, Sequence, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { isOpen } from "@signalbox/threads/OpenItem"
import { defaultTurnLimit } from "@signalbox/contracts/Rpc"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadHead, ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import type { Transcript } from "@signalbox/threads/Transcript"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import { hasEnded } from "@signalbox/threads/TurnState"
import { weightOfItem } from "../base/EventWeight.ts"
import { cursorAt } from "./Cursors.ts"
import type { PlacedItem, PlacedTurn, StoredThread, ThreadFold, Window } from "../storage/ThreadStore.ts"

/** How much of a thread stays in memory after a fold, and is shown at first. */
export const window: Window = { turns: defaultTurnLimit, items: 2000, weight: 4 * 1024 * 1024 }

/** It may become so many times as much before something leaves: looking for what may go costs as much as there is. */
const spare = 1.5

/** What events make of the thread; nothing of it is so before `adopt`. */
export interface Staged {
  readonly head: ThreadHead | undefined
  /** What then changed since the last fold. Of events of agents only: they begin no turns. */
  readonly fold: () => ThreadFold | undefined
  /** Makes it the state. Before anything else is staged. */
  readonly adopt: () => void
}

export interface ThreadState {
  /** Nothing before `thread.created`. Its turns are those at hand. */
  readonly head: () => ThreadHead | undefined
  /** The entry, if it is at hand. */
  readonly item: (itemId: ItemId) => ItemView | undefined
  /** What events speak of that is not at hand, and may have been there before. Nothing when there is nothing of that. */
  readonly absent: (events: ReadonlyArray<ThreadEvent>) => Absent | undefined
  /** Brings entries and turns back. They leave with the next fold. */
  readonly recall: (items: ReadonlyArray<PlacedItem>, turns: ReadonlyArray<PlacedTurn>) => void
  readonly stage: (events: ReadonlyArray<LoggedEvent>) => Staged
  /** The latest of the thread: so many turns and the entries that go with them, as far as they are at hand. */
  readonly latest: (turnLimit: number) => ThreadView | undefined
  /** The position from which on all entries are at hand. */
  readonly begins: () => number
  /** What changed since the last fold; nothing when nothing did. */
  readonly fold: () => ThreadFold | undefined
  /** Takes note that the last `fold` is written, and lets go of what nobody needs at hand. */
  readonly folded: () => void
  /** Whether there is something before this position that was not folded as it is now. */
  readonly isDirtyBefore: (position: number) => boolean
  /** The prompts that are in no fold yet. */
  readonly newPrompts: () => ReadonlyArray<Extract<ItemView, { readonly type: "prompt" }>>
}

export interface Absent {
  readonly items: ReadonlyArray<ItemId>
  readonly turns: ReadonlyArray<TurnId>
}

interface Entry {
  readonly position: number
  item: ItemView
}

interface TurnPlace {
  position: number
  firstItem: number | undefined
  /** The turn that was folded last; undefined when it must be written. */
  written: TurnView | undefined
  /** Its entries that are not at hand; undefined where nobody knows them all. */
  departed: Set<ItemId> | undefined
}

/** Positions of the first turn and of the first entry of a window. */
interface Beginning {
  readonly turn: number
  readonly item: number
}

type Loaded = Pick<StoredThread, "folded" | "nextItem" | "nextTurn">

/** `within` is how much stays in memory after a fold. */
export const make = (threadId: ThreadId, loaded?: Loaded, within = window): ThreadState => {
  const entries = new Map<ItemId, Entry>()
  /** Those that are not folded as they are now. */
  const dirty = new Set<Entry>()
  /** What all entries that are at hand weigh. */
  let weight = 0
  const mostWeight = within.weight ?? Number.POSITIVE_INFINITY
  const places = new Map<TurnId, TurnPlace>()
  let withdrawn: Array<TurnId> = []
  let head: ThreadHead | undefined
  let begins = 1
  let nextItem = loaded?.nextItem ?? 1
  let nextTurn = loaded?.nextTurn ?? 1
  /** Entries from here on, and events behind this, are in no fold yet. */
  let unfolded = nextItem
  let foldedThrough: Sequence | undefined

  /** The state knows where it begins, so that nobody takes what goes on from before for something new. */
  const beginAt = (position: number): void => {
    begins = position
    if (head && position > 1) head = { ...head, earlier: cursorAt(position), earlierCount: position - 1 }
  }

  /** Puts an entry at hand that is as it was folded. */
  const hold = ({ item, position }: PlacedItem): void => {
    entries.set(item.itemId, { position, item })
    weight += weightOfItem(item)
  }

  if (loaded?.folded) {
    const { head: folded, latest } = loaded.folded
    for (const placed of latest.items) hold(placed)
    for (const { firstItem, position, turn } of latest.turns)
      places.set(turn.turnId, { position, firstItem, written: turn, departed: undefined })
    head = { ...folded, turns: latest.turns.map(({ turn }) => turn) }
    foldedThrough = folded.sequence
    if (latest.more) beginAt(latest.items[0]?.position ?? nextItem)
  }

  const overlay = () => {
    const changed = new Map<ItemId, ItemView>()
    const transcript: Transcript = {
      get: (itemId) => changed.get(itemId) ?? entries.get(itemId)?.item,
      put: (item) => void changed.set(item.itemId, item),
      ofTurn: (turnId) => {
        const items: Array<ItemView> = []
        for (const [itemId, { item }] of entries) {
          if (item.turnId === turnId && !changed.has(itemId)) items.push(item)
        }
        for (const item of changed.values()) if (item.turnId === turnId) items.push(item)
        return items
      }
    }
    return { changed, transcript }
  }

  const put = (item: ItemView): void => {
    const entry = entries.get(item.itemId)
    weight += weightOfItem(item)
    if (entry) {
      weight -= weightOfItem(entry.item)
      entry.item = item
      dirty.add(entry)
      return
    }
    const position = nextItem++
    const added = { position, item }
    entries.set(item.itemId, added)
    dirty.add(added)
    const place = item.turnId === undefined ? undefined : places.get(item.turnId)
    if (place === undefined || place.firstItem !== undefined) return
    place.firstItem = position
    place.written = undefined
  }

  /** Sorts the positions of waiting and new turns by the order of the queue. */
  const putInOrder = ({ turns }: ThreadHead, before: ThreadHead | undefined, firstNew: number): void => {
    const waited = new Set(before === undefined ? [] : TurnQueue.waiting(before).map(({ turnId }) => turnId))
    const placed = turns.flatMap(({ turnId }) => {
      const place = places.get(turnId)
      return place !== undefined && (waited.has(turnId) || place.position >= firstNew) ? [place] : []
    })
    const positions = placed.map(({ position }) => position).sort((one, other) => one - other)
    for (const [index, place] of placed.entries()) {
      const position = positions[index] ?? place.position
      if (position === place.position) continue
      place.position = position
      place.written = undefined
    }
  }

  const isDirtyTurn = (turn: TurnView): boolean => places.get(turn.turnId)?.written !== turn

  /** What is to be written of the state after a step, with the entries that the step changes. */
  const foldOf = (after: ThreadHead, changed: ReadonlyMap<ItemId, ItemView>): ThreadFold | undefined => {
    if (after.sequence === foldedThrough) return undefined
    const items: Array<PlacedItem> = []
    const begun = new Map<TurnId, number>()
    // As it is now: an entry is changed in its place.
    for (const { item, position } of dirty) if (!changed.has(item.itemId)) items.push({ item, position })
    let position = nextItem
    for (const item of changed.values()) {
      const entry = entries.get(item.itemId)
      items.push({ position: entry?.position ?? position, item })
      if (entry !== undefined) continue
      if (item.turnId !== undefined && !begun.has(item.turnId)) begun.set(item.turnId, position)
      position++
    }
    const turns = after.turns.flatMap((turn): ReadonlyArray<PlacedTurn> => {
      const place = places.get(turn.turnId)
      const firstItem = place?.firstItem ?? begun.get(turn.turnId)
      if (place === undefined || (!isDirtyTurn(turn) && firstItem === place.firstItem)) return []
      return [{ position: place.position, turn, ...(firstItem !== undefined && { firstItem }) }]
    })
    return { threadId, head: after, items, turns, withdrawn }
  }

  const fold = (): ThreadFold | undefined => (head === undefined ? undefined : foldOf(head, new Map()))

  const stage: ThreadState["stage"] = (events) => {
    if (events.length === 0) return { head, fold, adopt: () => undefined }
    const { changed, transcript } = overlay()
    const next = ThreadProjection.applyTo(head, transcript, events)
    return {
      head: next,
      fold: () => foldOf(next, changed),
      adopt: () => {
        const before = head
        const firstNew = nextTurn
        let reordered = false
        head = next
        for (const { event } of events) {
          if (event.type === "turn.queued") {
            places.set(event.turnId, newPlace(nextTurn++))
            if (event.steer) reordered = true
          } else if (event.type === "turn.moved") reordered = true
          else if (event.type === "turn.withdrawn" && !next.turns.some(({ turnId }) => turnId === event.turnId)) {
            places.delete(event.turnId)
            withdrawn.push(event.turnId)
          }
        }
        if (reordered) putInOrder(next, before, firstNew)
        for (const item of changed.values()) put(item)
      }
    }
  }

  /** The beginning of the latest turns, `turnLimit` of them: the position of the first of them, and that of their first entry. */
  const beginningOf = (turnLimit: number): Beginning => {
    const begun = [...places.values()].filter(({ firstItem }) => firstItem !== undefined)
    const first = begun.sort((one, other) => other.position - one.position)[turnLimit - 1]
    const item = Math.max(first?.firstItem ?? 1, nextItem - within.items, begins)
    return { turn: first?.position ?? 0, item: Math.max(item, lightest(item)) }
  }

  /** From where on entries are not too much together; the last one is not, whatever it weighs. */
  const lightest = (from: number): number => {
    if (weight <= mostWeight) return from
    const latest = [...entries.values()].filter(({ position }) => position >= from)
    latest.sort((one, other) => other.position - one.position)
    let sum = 0
    let start = nextItem
    for (const { item, position } of latest) {
      if (sum >= mostWeight) break
      sum += weightOfItem(item)
      start = position
    }
    return start
  }

  /** The turns that belong to a window: its own, those of its entries, and all that are not over. */
  const turnsIn = (window: Beginning, items: ReadonlyArray<ItemView>): ReadonlyArray<TurnView> => {
    const shown = new Set(items.map(({ turnId }) => turnId))
    const belongs = ({ status, turnId }: TurnView) =>
      !hasEnded(status) || shown.has(turnId) || (places.get(turnId)?.position ?? 0) >= window.turn
    return head?.turns.filter(belongs) ?? []
  }

  const itemsIn = (window: Beginning): ReadonlyArray<ItemView> => {
    const shown = [...entries.values()].filter(({ position }) => position >= window.item)
    return shown.sort((one, other) => one.position - other.position).map(({ item }) => item)
  }

  const latest: ThreadState["latest"] = (turnLimit) => {
    if (head === undefined) return undefined
    const window = beginningOf(turnLimit)
    const items = itemsIn(window)
    const turns = turnsIn(window, items)
    return {
      ...head,
      turns,
      items,
      ...(window.item > 1 && { earlier: cursorAt(window.item), earlierCount: window.item - 1 })
    }
  }

  const absent: ThreadState["absent"] = (events) => {
    if (begins === 1) return undefined
    const items = new Set<ItemId>()
    const turns = new Set<TurnId>()
    for (const event of events) {
      // Its totals count whatever comes of it late.
      if (isOfTurn(event) && !places.has(event.turnId)) turns.add(event.turnId)
      if (!("itemId" in event) || entries.has(event.itemId)) continue
      const place = event.turnId === undefined ? undefined : places.get(event.turnId)
      // All entries of a turn that began within reach are at hand.
      if (place?.firstItem !== undefined && place.firstItem >= begins) continue
      if (place?.departed?.has(event.itemId) !== false) items.add(event.itemId)
    }
    return items.size + turns.size === 0 ? undefined : { items: [...items], turns: [...turns] }
  }

  const recall: ThreadState["recall"] = (items, turns) => {
    for (const placed of items) if (!entries.has(placed.item.itemId)) hold(placed)
    const back = turns.filter(({ turn }) => !places.has(turn.turnId))
    if (head === undefined || back.length === 0) return
    for (const { firstItem, position, turn } of back)
      places.set(turn.turnId, { position, firstItem, written: turn, departed: undefined })
    head = { ...head, turns: [...back.map(({ turn }) => turn), ...head.turns] }
  }

  /** A turn that goes on ends its open entries when it ends, and an agent what outlives them. */
  const isNeeded = ({ item }: Entry, going: ReadonlySet<TurnId>): boolean =>
    isOpen(item) &&
    (item.type === "subagent" || item.type === "compaction" || (item.turnId !== undefined && going.has(item.turnId)))

  /** Lets go of what stands before the window. */
  const shorten = (from: ThreadHead): void => {
    const start = beginningOf(within.turns)
    const turns = turnsIn(start, itemsIn(start))
    const kept = new Set(turns.map(({ turnId }) => turnId))
    for (const turnId of places.keys()) if (!kept.has(turnId)) places.delete(turnId)
    const going = new Set(turns.filter(({ status }) => !hasEnded(status)).map(({ turnId }) => turnId))
    for (const [itemId, entry] of entries) {
      if (entry.position >= start.item || isNeeded(entry, going)) continue
      entries.delete(itemId)
      weight -= weightOfItem(entry.item)
      if (entry.item.turnId !== undefined) places.get(entry.item.turnId)?.departed?.add(itemId)
    }
    head = { ...from, turns }
    beginAt(start.item)
  }

  return {
    head: () => head,
    item: (itemId) => entries.get(itemId)?.item,
    absent,
    recall,
    stage,
    latest,
    begins: () => begins,
    fold,
    folded: () => {
      if (head === undefined) return
      dirty.clear()
      for (const turn of head.turns) {
        const place = places.get(turn.turnId)
        if (place) place.written = turn
      }
      withdrawn = []
      unfolded = nextItem
      foldedThrough = head.sequence
      if (entries.size > spare * within.items || weight > spare * mostWeight || places.size > spare * within.turns)
        shorten(head)
    },
    isDirtyBefore: (before) => {
      for (const { position } of dirty) if (position < before) return true
      const began = (turn: TurnView): number => places.get(turn.turnId)?.firstItem ?? Number.POSITIVE_INFINITY
      return head?.turns.some((turn) => began(turn) < before && isDirtyTurn(turn)) ?? false
    },
    newPrompts: () =>
      [...entries.values()].flatMap(({ item, position }) =>
        item.type === "prompt" && position >= unfolded ? [item] : []
      )
  }
}

/** Something that an agent did in a turn. */
const isOfTurn = (event: ThreadEvent): event is ThreadEvent & { readonly turnId: TurnId } =>
  "providerSessionId" in event && "turnId" in event && event.turnId !== undefined

const newPlace = (position: number): TurnPlace => ({
  position,
  firstItem: undefined,
  written: undefined,
  departed: new Set()
})
