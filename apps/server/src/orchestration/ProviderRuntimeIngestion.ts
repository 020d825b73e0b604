/** Takes in what agents do: chunk by chunk as it arrives, in order, one transaction for each. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { StorageError } from "../persistence/StorageError.ts"
import type { ThreadStore } from "../persistence/ThreadStore.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import * as ThreadActor from "./ThreadActor.ts"

/** Where events go. A thread that is not there gets none. */
export interface Destination {
  readonly has: (threadId: ThreadId) => boolean
  readonly actor: (threadId: ThreadId) => Effect.Effect<ThreadActor.ThreadActor, StorageError, Scope.Scope>
}

/** Runs until the agents' stream ends. */
export const run = (destination: Destination): Effect.Effect<void, never, ProviderService | ThreadStore> => {
  const ingestChunk = Effect.fnUntraced(function* (chunk: ReadonlyArray<ProviderRuntimeEvent>) {
    const batches = []
    for (const [threadId, events] of byThread(chunk)) {
      if (destination.has(threadId)) batches.push({ actor: yield* destination.actor(threadId), events })
      else yield* Effect.logWarning(`${events.length} events of an unknown thread were dropped.`, { threadId })
    }
    if (batches.length > 0) yield* ThreadActor.ingest(batches)
  }, Effect.scoped)

  return Effect.flatMap(ProviderService, ({ streamEvents }) =>
    Stream.runForEachArray(streamEvents, (chunk) =>
      ingestChunk(chunk).pipe(
        // One thread's damage is not the others': what can't be kept is named, and the rest goes on.
        Effect.catchCause((cause) => Effect.logError(`${chunk.length} events could not be kept.`, cause))
      )
    )
  ).pipe(Effect.annotateLogs({ module: "ProviderRuntimeIngestion" }))
}

const byThread = (
  chunk: ReadonlyArray<ProviderRuntimeEvent>
): ReadonlyMap<ThreadId, ReadonlyArray<ProviderRuntimeEvent>> => {
  const groups = new Map<ThreadId, Array<ProviderRuntimeEvent>>()
  for (const event of chunk) {
    const group = groups.get(event.threadId)
    if (group) group.push(event)
    else groups.set(event.threadId, [event])
  }
  return groups
}
