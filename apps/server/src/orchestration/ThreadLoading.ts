/** Brings a thread from the disk into memory: its latest window as it was folded, and what happened since. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { isOpen } from "@signalbox/threads/OpenItem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { PlacedItem, PlacedTurn, ThreadStore } from "../storage/ThreadStore.ts"
import * as Staged from "./Staged.ts"
import * as ThreadRecall from "./ThreadRecall.ts"
import * as ThreadState from "./ThreadState.ts"

export interface LoadedThread {
  /** Without a head if there is no such thread. */
  readonly state: ThreadState.ThreadState
  readonly providerOptions: ProviderOptions
  /** Events since the last fold. */
  readonly tail: number
}

export const load = Effect.fnUntraced(function* (
  store: ThreadStore["Service"],
  threadId: ThreadId,
  within = ThreadState.window
): Effect.fn.Return<LoadedThread, StorageError> {
  const stored = yield* store.load(threadId, within)
  const state = ThreadState.make(threadId, stored, within)
  if (stored === undefined) return { state, providerOptions: {}, tail: 0 }
  const { providerOptions, tail } = stored
  for (const placed of stored.folded?.latest.turns ?? []) {
    if (!hasEnded(placed.turn.status))
      ThreadRecall.takeBack(state, yield* openEntries(store, threadId, state.begins, placed), [])
  }
  yield* ThreadRecall.recall(
    store,
    state,
    tail.map(({ event }) => event)
  )
  Staged.adopt(state, Staged.stage(state, tail))
  return { state, providerOptions, tail: tail.length }
})

/** The entries of a turn before `position` that are still open: its end closes them, however long ago they began. */
const openEntries = Effect.fnUntraced(function* (
  store: ThreadStore["Service"],
  threadId: ThreadId,
  position: number,
  { firstItem = position, turn }: PlacedTurn
) {
  const open: Array<PlacedItem> = []
  for (let before = position; before > firstItem;) {
    const { items } = yield* store.page(threadId, before, { ...ThreadState.window, turns: 1 })
    open.push(...items.filter(({ item }) => item.turnId === turn.turnId && isOpen(item)))
    before = items[0]?.position ?? firstItem
  }
  return open
})
