/** Brings entries and turns back into memory that events speak of, so that nothing is lost or comes twice. They leave with the next fold. */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { PlacedItem, PlacedTurn, ThreadStore } from "../storage/ThreadStore.ts"
import * as Entries from "./Entries.ts"
import type { ThreadState } from "./ThreadState.ts"
import * as TurnPlaces from "./TurnPlaces.ts"

export interface Absent {
  readonly items: ReadonlyArray<ItemId>
  readonly turns: ReadonlyArray<TurnId>
}

/** Brings back what these events speak of. */
export const recall = (
  store: ThreadStore["Service"],
  state: ThreadState,
  events: ReadonlyArray<ThreadEvent>
): Effect.Effect<void, StorageError> => {
  const absent = absentIn(state, events)
  if (absent === undefined) return Effect.void
  const { threadId } = state
  return Effect.zipWith(store.items(threadId, absent.items), store.turns(threadId, absent.turns), (items, turns) =>
    takeBack(state, items, turns)
  )
}

/** What events speak of that is not at hand, and may have been there before; undefined if there is nothing of that. */
export const absentIn = (
  { begins, entries, places }: ThreadState,
  events: ReadonlyArray<ThreadEvent>
): Absent | undefined => {
  if (begins === 1) return undefined
  const items = new Set<ItemId>()
  const turns = new Set<TurnId>()
  for (const event of events) {
    // Its totals count whatever comes of it late.
    if (isOfTurn(event) && !places.byId.has(event.turnId)) turns.add(event.turnId)
    if (!("itemId" in event) || entries.byId.has(event.itemId)) continue
    const place = event.turnId === undefined ? undefined : places.byId.get(event.turnId)
    // All entries of a turn that began within reach are at hand.
    if (place?.firstItem !== undefined && place.firstItem >= begins) continue
    if (place?.departed?.has(event.itemId) !== false) items.add(event.itemId)
  }
  return items.size + turns.size === 0 ? undefined : { items: [...items], turns: [...turns] }
}

/** Puts folded entries and turns at hand that are not there. */
export const takeBack = (
  state: ThreadState,
  items: ReadonlyArray<PlacedItem>,
  turns: ReadonlyArray<PlacedTurn>
): void => {
  const { entries, head, places } = state
  for (const placed of items) if (!entries.byId.has(placed.item.itemId)) Entries.hold(entries, placed)
  const back = turns.filter(({ turn }) => !places.byId.has(turn.turnId))
  if (head === undefined || back.length === 0) return
  for (const placed of back) TurnPlaces.hold(places, placed)
  state.head = { ...head, turns: [...back.map(({ turn }) => turn), ...head.turns] }
}

/** Something that an agent did in a turn. */
const isOfTurn = (event: ThreadEvent): event is ThreadEvent & { readonly turnId: TurnId } =>
  "providerSessionId" in event && "turnId" in event && event.turnId !== undefined
