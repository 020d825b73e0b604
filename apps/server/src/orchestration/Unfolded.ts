/** What of a thread in memory is in no fold yet, or not as it is now. */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import type { ItemView, TurnView } from "@signalbox/contracts/ThreadView"
import type { PlacedItem, PlacedTurn, ThreadFold } from "../storage/ThreadStore.ts"
import * as Entries from "./Entries.ts"
import type { Staged } from "./Staged.ts"
import type { ThreadState } from "./ThreadState.ts"
import * as ThreadWindow from "./ThreadWindow.ts"
import * as TurnPlaces from "./TurnPlaces.ts"

/** What is to be written of the state; nothing when nothing changed. */
export const foldOf = (state: ThreadState): ThreadFold | undefined =>
  foldAfter(state, { head: state.head, changed: none })

/** What is to be written of the state after a step, of events that begin no turns. */
export const foldAfter = (
  state: ThreadState,
  { changed, head }: Pick<Staged, "head" | "changed">
): ThreadFold | undefined => {
  if (head === undefined || head.sequence === state.foldedThrough) return undefined
  const { entries, places, threadId } = state
  const items: Array<PlacedItem> = []
  const begun = new Map<TurnId, number>()
  // As it is now: an entry is changed in its place.
  for (const { item, position } of entries.changed) if (!changed.has(item.itemId)) items.push({ item, position })
  let position = entries.next
  for (const item of changed.values()) {
    const entry = entries.byId.get(item.itemId)
    items.push({ position: entry?.position ?? position, item })
    if (entry !== undefined) continue
    if (item.turnId !== undefined && !begun.has(item.turnId)) begun.set(item.turnId, position)
    position++
  }
  const turns = head.turns.flatMap((turn): ReadonlyArray<PlacedTurn> => {
    const place = places.byId.get(turn.turnId)
    const firstItem = place?.firstItem ?? begun.get(turn.turnId)
    if (place === undefined || (!TurnPlaces.isChanged(places, turn) && firstItem === place.firstItem)) return []
    return [{ position: place.position, turn, ...(firstItem !== undefined && { firstItem }) }]
  })
  return { threadId, head, items, turns, withdrawn: places.withdrawn }
}

/** Takes note that all of the state is written, and lets go of what nobody needs at hand. */
export const written = (state: ThreadState): void => {
  if (state.head === undefined) return
  Entries.written(state.entries)
  TurnPlaces.written(state.places, state.head.turns)
  state.foldedThrough = state.head.sequence
  ThreadWindow.shorten(state)
}

/** Whether there is something of it before this position. */
export const isBefore = ({ entries, head, places }: ThreadState, before: number): boolean => {
  for (const { position } of entries.changed) if (position < before) return true
  const began = (turn: TurnView): number => places.byId.get(turn.turnId)?.firstItem ?? Number.POSITIVE_INFINITY
  return head?.turns.some((turn) => began(turn) < before && TurnPlaces.isChanged(places, turn)) ?? false
}

type Prompt = Extract<ItemView, { readonly type: "prompt" }>

/** The prompts that are in no fold yet. */
export const prompts = ({ entries }: ThreadState): ReadonlyArray<Prompt> =>
  [...entries.byId.values()].flatMap(({ item, position }) =>
    item.type === "prompt" && position >= entries.unfolded ? [item] : []
  )

const none: ReadonlyMap<ItemId, ItemView> = new Map()
