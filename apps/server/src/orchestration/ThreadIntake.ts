/** How a thread takes in what its agent does: text at once and gathered for the disk, all else in a transaction before it is shown. */
import type { ItemId, ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import type { StorageError } from "../storage/StorageError.ts"
import { ThreadStore } from "../storage/ThreadStore.ts"
import { extract } from "./OutputExtraction.ts"
import * as PendingEvents from "./PendingEvents.ts"
import type * as ThreadLog from "./ThreadLog.ts"
import type { ThreadState } from "./ThreadState.ts"
import { untilPossible } from "./UntilPossible.ts"

/** `gather`, `stage` and `adopted` within the lane only, the others outside of it. */
export interface ThreadIntake {
  readonly threadId: ThreadId
  readonly lane: Semaphore.Semaphore
  /** Takes the events in if they are text, which needs no transaction; says whether it did. */
  readonly gather: (events: ReadonlyArray<ProviderRuntimeEvent>) => boolean
  /** Writes gathered text that has become much, and waits while there is too much of it. */
  readonly makeRoom: Effect.Effect<void>
  /** The events as a step that is not taken yet. */
  readonly stage: (events: ReadonlyArray<ProviderRuntimeEvent>) => Effect.Effect<ThreadLog.Step, StorageError>
  /** Makes it the state after its commit, and sets in motion what follows from it. */
  readonly adopted: (step: ThreadLog.Step) => Effect.Effect<void>
  /** Writes gathered text. */
  readonly flush: Effect.Effect<void, StorageError>
}

interface Options extends Pick<ThreadIntake, "adopted" | "lane"> {
  readonly state: ThreadState
  readonly log: ThreadLog.ThreadLog
  /** Puts the state in the place of the log, in the background, if enough was written. */
  readonly foldWhenDue: Effect.Effect<void>
  /** In the background; the thread stays in memory until it ends. */
  readonly fork: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /** Whether the thread was removed: nothing is taken in any more. */
  readonly isGone: () => boolean
}

export const make = ({ adopted, foldWhenDue, fork, isGone, lane, log, state }: Options): ThreadIntake => {
  /** Gathered text is on its way to the disk; what has come is written with it. */
  const flushing = Ref.makeUnsafe(false)
  /** The disk has refused gathered text, for a passing reason. */
  const refusing = Ref.makeUnsafe(false)

  const flush = log.flush.pipe(
    Semaphore.withPermit(lane),
    Effect.tap(() => Ref.set(refusing, false)),
    Effect.tapError(({ passing }) => Ref.set(refusing, passing)),
    Effect.withSpan("ThreadIntake.flush")
  )

  /** A stream of text alone may last long, and bring more than one fold can write at once. */
  const flushAndFold = Effect.tap(flush, foldWhenDue)

  /** Writes gathered text. Of what can't be written, not even later, the next fold may still write what it came to. */
  const flushWhenPossible = untilPossible(flushAndFold).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.sync(() => log.pending.clear()),
        Effect.logError("Text could not be kept.", error.message)
      )
    )
  )

  /** Writes gathered text after a while, once at a time. */
  const flushLater = Effect.flatMap(Ref.getAndSet(flushing, true), (already) =>
    already
      ? Effect.void
      : fork(
          Effect.sleep(PendingEvents.longestMs).pipe(
            Effect.andThen(flushWhenPossible),
            Effect.ensuring(Ref.set(flushing, false))
          )
        )
  )

  const flushSoon = Effect.suspend(() => (Ref.getUnsafe(flushing) || log.pending.isEmpty() ? Effect.void : flushLater))

  const makeRoom = Effect.suspend(() => {
    if (log.pending.isTooMuch()) return flushWhenPossible
    // A disk that refuses is left to whoever tries it again and again.
    const isDue = log.pending.isEnough() && !Ref.getUnsafe(refusing)
    return isDue ? Effect.andThen(Effect.ignore(flushAndFold), flushSoon) : flushSoon
  })

  return {
    threadId: state.threadId,
    lane,
    gather: (events) => {
      const isText = !isGone() && log.isText(events)
      if (isText) log.gather(events)
      return isText
    },
    makeRoom,
    stage: (events) => {
      const taken = extract(events, ({ itemId }) => toolOf(state, itemId))
      return log.stage(isGone() ? [] : taken.events, { chunks: taken.chunks })
    },
    adopted,
    flush
  }
}

/** A tool call of the thread as it stands in memory. */
const toolOf = ({ entries }: ThreadState, itemId: ItemId): ToolCall | undefined => {
  const item = entries.byId.get(itemId)?.item
  return item?.type === "tool" ? item.tool : undefined
}

/** What a thread is to take in: events that fit the contract, with neighbouring pieces of one text joined. */
export interface Batch {
  readonly intake: ThreadIntake
  readonly events: ReadonlyArray<ProviderRuntimeEvent>
}

/** Takes in text, which is shown at once and needs no transaction; what is left are the batches that do. */
export const gather = Effect.fnUntraced(function* (batches: ReadonlyArray<Batch>) {
  const rest: Array<Batch> = []
  for (const batch of batches) if (!(yield* gatherOne(batch))) rest.push(batch)
  return rest
})

/** Gathers one batch, which is the way of nearly everything. Says whether it was text. */
export const gatherOne = ({ events, intake }: Batch): Effect.Effect<boolean> => {
  const { gather, lane, makeRoom } = intake
  return Effect.flatMap(lane.withPermit(Effect.sync(() => gather(events))), (gathered) =>
    gathered ? Effect.as(makeRoom, true) : notText
  )
}

const notText = Effect.succeed(false)

/** Takes in what agents did, in one transaction. Waits, and holds the agents up, while the disk refuses. */
export const ingest = (batches: ReadonlyArray<Batch>): Effect.Effect<void, StorageError, ThreadStore> =>
  untilPossible(inLanes(batches, Effect.uninterruptible(take(batches))))

const inLanes = <A, E, R>(batches: ReadonlyArray<Batch>, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  batches.reduce((inner, { intake }) => intake.lane.withPermit(inner), effect)

const take = Effect.fnUntraced(function* (batches: ReadonlyArray<Batch>) {
  const store = yield* ThreadStore
  const steps: Array<ThreadLog.Step> = []
  for (const { events, intake } of batches) steps.push(yield* intake.stage(events))
  yield* store.commit(steps.map(({ commit }) => commit))
  for (const [index, { intake }] of batches.entries()) yield* intake.adopted(steps[index]!)
})
