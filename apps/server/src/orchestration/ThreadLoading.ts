/** Brings a thread from the disk into memory: its latest window as it was folded, and what happened since. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
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
  threadId: ThreadId
): Effect.fn.Return<LoadedThread, StorageError> {
  const stored = yield* store.load(threadId, ThreadState.window)
  const state = ThreadState.make(threadId, stored)
  if (stored === undefined) return { state, providerOptions: {}, tail: 0 }
  const { providerOptions, tail } = stored
  const absent = state.absent(tail.map(({ event }) => event))
  if (absent.length > 0) state.recall(yield* store.items(threadId, absent))
  state.stage(tail).adopt()
  return { state, providerOptions, tail: tail.length }
})
