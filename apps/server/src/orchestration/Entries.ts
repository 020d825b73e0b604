/** The entries of a thread that are at hand, each at its place. Plain data, which the lane of the thread alone changes. */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import type { Transcript } from "@signalbox/threads/Transcript"
import { weightOfItem } from "../base/EventWeight.ts"
import type { PlacedItem } from "../storage/ThreadStore.ts"

export interface Entry {
  readonly position: number
  item: ItemView
}

export interface Entries {
  readonly byId: Map<ItemId, Entry>
  /** Entries that have changed since the last fold, or are new since then. */
  readonly changed: Set<Entry>
  /** The weight of all entries at hand, as `EventWeight` counts it. */
  weight: number
  /** The position of the next new entry. */
  next: number
  /** No fold holds an entry at this position or behind it. */
  unfolded: number
}

export const make = (next: number): Entries => ({
  byId: new Map(),
  changed: new Set(),
  weight: 0,
  next,
  unfolded: next
})

/** Adds an entry that is the same in the last fold. */
export const hold = (entries: Entries, { item, position }: PlacedItem): void => {
  entries.byId.set(item.itemId, { position, item })
  entries.weight += weightOfItem(item)
}

/** Replaces the entry with this id, or adds it at the end. Returns the position of an added entry, undefined for a replaced one. */
export const put = (entries: Entries, item: ItemView): number | undefined => {
  const entry = entries.byId.get(item.itemId)
  entries.weight += weightOfItem(item)
  if (entry) {
    entries.weight -= weightOfItem(entry.item)
    entry.item = item
    entries.changed.add(entry)
    return undefined
  }
  const added: Entry = { position: entries.next++, item }
  entries.byId.set(item.itemId, added)
  entries.changed.add(added)
  return added.position
}

/** Lets go of an entry. */
export const remove = (entries: Entries, { item }: Entry): void => {
  entries.byId.delete(item.itemId)
  entries.weight -= weightOfItem(item)
}

/** Takes note that all of them are folded as they are now. */
export const written = (entries: Entries): void => {
  entries.changed.clear()
  entries.unfolded = entries.next
}

/** The entries from a position on, in their order. */
export const from = (entries: Entries, position: number): ReadonlyArray<Entry> =>
  [...entries.byId.values()]
    .filter((entry) => entry.position >= position)
    .sort((one, other) => one.position - other.position)

/** The entries with changes over them that are not so yet: whoever changes the transcript finds them in `changed`. */
export const overlay = (entries: Entries) => {
  const changed = new Map<ItemId, ItemView>()
  const transcript: Transcript = {
    get: (itemId) => changed.get(itemId) ?? entries.byId.get(itemId)?.item,
    put: (item) => void changed.set(item.itemId, item),
    ofTurn: (turnId) => {
      const items: Array<ItemView> = []
      for (const [itemId, { item }] of entries.byId) {
        if (item.turnId === turnId && !changed.has(itemId)) items.push(item)
      }
      for (const item of changed.values()) if (item.turnId === turnId) items.push(item)
      return items
    }
  }
  return { changed, transcript }
}
