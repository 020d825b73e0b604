/**
 * The positions of a transcript's entries, so that an event finds its entry without a search. They are derived and
 * never sent. They are kept beside the list, and move to the copy that the next batch changes. Missing ones are made
 * again.
 */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ItemView } from "@signalbox/contracts/ThreadView"

interface Positions {
  readonly of: Map<ItemId, number>
  /** The number of the list's entries in `of`. Lists only grow at their end. */
  known: number
}

const positions = new WeakMap<ReadonlyArray<ItemView>, Positions>()

/** The position of the entry with this id, or -1. */
export const positionOf = (items: ReadonlyArray<ItemView>, itemId: ItemId): number => {
  let known = positions.get(items)
  if (known === undefined) positions.set(items, (known = { of: new Map(), known: 0 }))
  for (; known.known < items.length; known.known++) {
    const item = items[known.known]
    if (item) known.of.set(item.itemId, known.known)
  }
  return known.of.get(itemId) ?? -1
}

/** A copy of the list that may be changed and extended. */
export const copyOf = (items: ReadonlyArray<ItemView>): Array<ItemView> => {
  const copy = [...items]
  const known = positions.get(items)
  if (known) {
    // Moved and not shared: two states that grow from one must not share entries.
    positions.delete(items)
    positions.set(copy, known)
  }
  return copy
}
