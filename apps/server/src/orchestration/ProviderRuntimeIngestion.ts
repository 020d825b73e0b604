/** Takes in what agents do: chunk by chunk as it arrives, in order, at most one transaction for each. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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

type Batch = ThreadActor.Batch

/** Runs until the agents' stream ends. */
export const run = (destination: Destination): Effect.Effect<void, never, ProviderService | ThreadStore> => {
  const ingestChunk = Effect.fnUntraced(function* (chunk: ReadonlyArray<ProviderRuntimeEvent>) {
    const batches: Array<Batch> = []
    for (const [threadId, events] of byThread(chunk)) {
      if (destination.has(threadId)) {
        const actor = yield* Effect.tapCause(destination.actor(threadId), dropped(threadId, events)).pipe(Effect.option)
        if (Option.isSome(actor)) batches.push({ actor: actor.value, events })
      } else yield* Effect.logWarning(`${events.length} events of an unknown thread were dropped.`, { threadId })
    }
    const rest = yield* ThreadActor.gather(batches)
    // One thread's damage is not the others': what can't be taken together is taken one by one.
    if (rest.length > 1) yield* Effect.catchCause(ThreadActor.ingest(rest), () => singly(rest))
    else yield* singly(rest)
  }, Effect.scoped)

  return Effect.flatMap(ProviderService, ({ streamEvents }) => Stream.runForEachArray(streamEvents, ingestChunk)).pipe(
    Effect.annotateLogs({ module: "ProviderRuntimeIngestion" })
  )
}

const singly = (batches: ReadonlyArray<Batch>) =>
  Effect.forEach(
    batches,
    (batch) => Effect.catchCause(ThreadActor.ingest([batch]), dropped(batch.actor.threadId, batch.events)),
    { discard: true }
  )

/** Says what is missing from a log from now on. */
const dropped = (threadId: ThreadId, events: ReadonlyArray<ProviderRuntimeEvent>) => (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.logError(`${events.length} events could not be kept.`, { threadId }, cause)

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
