/**
 * The positions of the entries of a transcript. By them an event finds its entry without a look at all the others. They are derived and
 * never sent. They live beside the list, and go over to the copy that the next batch changes. They are made again where they are missing.
 */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ItemView } from "@signalbox/contracts/ThreadView"

interface Positions {
  readonly of: Map<ItemId, number>
  /** How many entries of the list are in `of`: lists only grow at their end. */
  known: number
}

const positions = new WeakMap<ReadonlyArray<ItemView>, Positions>()

/** The place of the entry with this id, or -1. */
export const positionOf = (items: ReadonlyArray<ItemView>, itemId: ItemId): number => {
  let known = positions.get(items)
  if (known === undefined) positions.set(items, (known = { of: new Map(), known: 0 }))
  for (; known.known < items.length; known.known++) {
    const item = items[known.known]
    if (item) known.of.set(item.itemId, known.known)
  }
  return known.of.get(itemId) ?? -1
}

/** A list to change in its place, or to append to. */
export const copyOf = (items: ReadonlyArray<ItemView>): Array<ItemView> => {
  const copy = [...items]
  const known = positions.get(items)
  if (known) {
    // Handed over, not shared: two states that grow from one must not know of each other's entries.
    positions.delete(items)
    positions.set(copy, known)
  }
  return copy
}
