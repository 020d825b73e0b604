/** Brings a thread from the disk into memory: its latest window as it was folded, and what happened since. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as Effect from "effect/Effect"
import type { StorageError } from "../persistence/StorageError.ts"
import type { ThreadStore } from "../persistence/ThreadStore.ts"
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
  yield* recall(
    store,
    threadId,
    state,
    tail.map(({ event }) => event)
  )
  state.stage(tail).adopt()
  return { state, providerOptions, tail: tail.length }
})

/** Brings back what these events speak of, so that nothing is lost or comes twice. */
export const recall = (
  store: ThreadStore["Service"],
  threadId: ThreadId,
  state: ThreadState.ThreadState,
  events: ReadonlyArray<ThreadEvent>
): Effect.Effect<void, StorageError> => {
  const absent = state.absent(events)
  if (absent === undefined) return Effect.void
  return Effect.zipWith(store.items(threadId, absent.items), store.turns(threadId, absent.turns), state.recall)
}
