/** Takes in what agents do: chunk by chunk as it arrives, in order, at most one transaction for each. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { joinAdjacent } from "./EventJoining.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ThreadStore } from "../storage/ThreadStore.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { fitting } from "./FittingEvent.ts"
import * as FloodGate from "./FloodGate.ts"
import type * as ThreadActor from "./ThreadActor.ts"
import * as ThreadIntake from "./ThreadIntake.ts"
import { TurnLimit } from "./TurnLimit.ts"

/** The destination of events. A thread that is not there gets none. */
export interface Destination {
  readonly has: (threadId: ThreadId) => boolean
  /** The thread, if it is in memory and certainly stays there for a while: known without an effect. */
  readonly kept: (threadId: ThreadId) => ThreadActor.ThreadActor | undefined
  readonly actor: (threadId: ThreadId) => Effect.Effect<ThreadActor.ThreadActor, StorageError, Scope.Scope>
}

/** Runs until the agents' stream ends. */
export const run = (destination: Destination): Effect.Effect<void, never, ProviderService | ThreadStore> =>
  Effect.flatMap(TurnLimit, (limit) => runWithin(destination, limit))

const runWithin = (
  destination: Destination,
  limit: () => number
): Effect.Effect<void, never, ProviderService | ThreadStore> => {
  const gates = new Map<ThreadId, FloodGate.FloodGate>()

  /** Once for each event: what is taken in a second time, after a disk refused it, has passed already. */
  const admitted = (threadId: ThreadId, events: ReadonlyArray<ProviderRuntimeEvent>) => {
    const gate = gates.get(threadId) ?? FloodGate.make(limit)
    if (events.some(({ type }) => type === "session.exited")) gates.delete(threadId)
    else gates.set(threadId, gate)
    return FloodGate.pass(gate, events)
  }

  const ingestGroups = Effect.fnUntraced(function* (groups: Groups) {
    const batches: Array<ThreadIntake.Batch> = []
    for (const [threadId, events] of groups) {
      if (destination.has(threadId)) {
        const actor = yield* Effect.tapCause(destination.actor(threadId), dropped(threadId, events)).pipe(Effect.option)
        if (Option.isSome(actor)) batches.push({ intake: actor.value.intake, events })
      } else yield* Effect.logWarning(`${events.length} events of an unknown thread were dropped.`, { threadId })
    }
    const rest = yield* ThreadIntake.gather(batches)
    // One thread's damage is not the others': what can't be taken together is taken one by one.
    if (rest.length > 1) yield* Effect.catchCause(ThreadIntake.ingest(rest), () => singly(rest))
    else yield* singly(rest)
  }, Effect.scoped)

  const ingestChunk = (chunk: ReadonlyArray<ProviderRuntimeEvent>): Effect.Effect<void, never, ThreadStore> => {
    const groups = byThread(chunk, admitted)
    const [first, ...others] = groups
    const actor = first && others.length === 0 ? destination.kept(first[0]) : undefined
    if (first === undefined || actor === undefined) return ingestGroups(groups)
    // Nearly always: a piece of text, of one thread, which is running a turn.
    return Effect.flatMap(ThreadIntake.gatherOne({ intake: actor.intake, events: first[1] }), (gathered) =>
      gathered ? Effect.void : ingestGroups(groups)
    )
  }

  return Effect.flatMap(ProviderService, ({ streamEvents }) => Stream.runForEachArray(streamEvents, ingestChunk)).pipe(
    Effect.annotateLogs({ module: "ProviderRuntimeIngestion" })
  )
}

const singly = (batches: ReadonlyArray<ThreadIntake.Batch>) =>
  Effect.forEach(
    batches,
    (batch) => Effect.catchCause(ThreadIntake.ingest([batch]), dropped(batch.intake.threadId, batch.events)),
    { discard: true }
  )

/** Says what is missing from a log from now on. */
const dropped = (threadId: ThreadId, events: ReadonlyArray<ProviderRuntimeEvent>) => (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.logError(`${events.length} events could not be kept.`, { threadId }, cause)

type Groups = ReadonlyArray<readonly [ThreadId, ReadonlyArray<ProviderRuntimeEvent>]>

/** Groups events by thread. Neighbouring pieces of text are joined, values that can't be stored are made fit, and a flood is bounded. */
const byThread = (
  chunk: ReadonlyArray<ProviderRuntimeEvent>,
  admitted: (threadId: ThreadId, events: ReadonlyArray<ProviderRuntimeEvent>) => ReadonlyArray<ProviderRuntimeEvent>
): Groups => {
  const groups = new Map<ThreadId, Array<ProviderRuntimeEvent>>()
  for (const event of chunk) {
    const group = groups.get(event.threadId)
    if (group) group.push(event)
    else groups.set(event.threadId, [event])
  }
  return Array.from(groups, ([threadId, events]) => [threadId, admitted(threadId, joinAdjacent(events).map(fitting))])
}
