/**
 * The entries of a thread as its projection changes them: found by id, in the order of first appearance. The page keeps them as one
 * immutable list; the server keeps those that may still change in memory, and writes the others away.
 */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import { copyOf, positionOf } from "./ItemPositions.ts"
import type { ItemView } from "@signalbox/contracts/ThreadView"

export interface Transcript {
  readonly get: (itemId: ItemId) => ItemView | undefined
  /** Puts the entry in the place of the one with its id, or at the end. */
  readonly put: (item: ItemView) => void
  /** The entries of a turn that are at hand, at least all that are still open while it runs; without one those outside of turns. */
  readonly ofTurn: (turnId: TurnId | undefined) => ReadonlyArray<ItemView>
}

export interface ListTranscript extends Transcript {
  /** The list as it is now; the list that it was made of when nothing was changed. */
  readonly items: () => ReadonlyArray<ItemView>
}

/** Changes a copy, taken at the first change. */
export const ofList = (items: ReadonlyArray<ItemView>): ListTranscript => {
  let copy: Array<ItemView> | undefined
  const now = () => copy ?? items
  return {
    get: (itemId) => now()[positionOf(now(), itemId)],
    put: (item) => {
      copy ??= copyOf(items)
      const position = positionOf(copy, item.itemId)
      if (position === -1) copy.push(item)
      else copy[position] = item
    },
    ofTurn: (turnId) => now().filter((item) => item.turnId === turnId),
    items: now
  }
}
