/** A step of a thread that is staged: what events make of its state. Nothing of it is so before `adopt`. */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import type { ItemView, ThreadHead } from "@signalbox/contracts/ThreadView"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import * as Entries from "./Entries.ts"
import type { ThreadState } from "./ThreadState.ts"
import * as TurnPlaces from "./TurnPlaces.ts"

export interface Staged {
  readonly events: ReadonlyArray<LoggedEvent>
  /** The head after them. */
  readonly head: ThreadHead | undefined
  /** The entries that they bring or change, as they are then. */
  readonly changed: ReadonlyMap<ItemId, ItemView>
}

/** Changes nothing of the state. */
export const stage = (state: ThreadState, events: ReadonlyArray<LoggedEvent>): Staged => {
  if (events.length === 0) return { events, head: state.head, changed: none }
  const { changed, transcript } = Entries.overlay(state.entries)
  return { events, head: ThreadProjection.applyTo(state.head, transcript, events), changed }
}

/** Makes it the state. Nothing else may have changed the state since it was staged. */
export const adopt = (state: ThreadState, { changed, events, head }: Staged): void => {
  if (events.length === 0 || head === undefined) return
  const before = state.head
  state.head = head
  TurnPlaces.follow(state.places, events, before, head)
  for (const item of changed.values()) {
    const added = Entries.put(state.entries, item)
    if (added !== undefined && item.turnId !== undefined) TurnPlaces.begin(state.places, item.turnId, added)
  }
}

const none: ReadonlyMap<ItemId, ItemView> = new Map()
