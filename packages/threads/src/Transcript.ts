/**
 * The entries of a thread for its projection: found by id, in the order of first appearance. The page keeps them as one
 * immutable list. The server keeps the open ones in memory, and stores the others.
 */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import { copyOf, positionOf } from "./ItemPositions.ts"
import type { ItemView } from "@signalbox/contracts/ThreadView"

export interface Transcript {
  readonly get: (itemId: ItemId) => ItemView | undefined
  /** Replaces the entry with the same id, or adds it at the end. */
  readonly put: (item: ItemView) => void
  /** The loaded entries of a turn, including all open ones while it runs. Without an id: those outside of turns. */
  readonly ofTurn: (turnId: TurnId | undefined) => ReadonlyArray<ItemView>
}

export interface ListTranscript extends Transcript {
  /** The present list. It is the given one if nothing was changed. */
  readonly items: () => ReadonlyArray<ItemView>
}

/** A transcript of a list, which is copied at the first change. */
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
