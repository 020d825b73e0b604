/** Decides when a thread's state takes the place of its log, and does so in the background. */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import type { StorageError } from "../storage/StorageError.ts"
import type * as ThreadLog from "./ThreadLog.ts"

export interface ThreadFolding {
  /** Puts the state in the place of the log. Waits for the thread's lane. */
  readonly fold: Effect.Effect<void, StorageError>
  /** Folds in the background, once at a time. */
  readonly soon: Effect.Effect<void>
  /** Folds in the background if much was written since the last fold. */
  readonly whenDue: Effect.Effect<void>
}

interface Options {
  readonly lane: Semaphore.Semaphore
  readonly log: Pick<ThreadLog.ThreadLog, "fold" | "isFoldDue">
  readonly fork: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

export const make = ({ fork, lane, log }: Options): ThreadFolding => {
  const folding = Ref.makeUnsafe(false)
  const fold = log.fold.pipe(Semaphore.withPermit(lane), Effect.withSpan("ThreadActor.fold"))
  const inBackground = fold.pipe(
    Effect.catch((error) => Effect.logWarning(error.message)),
    Effect.ensuring(Ref.set(folding, false))
  )
  const soon = Effect.flatMap(Ref.getAndSet(folding, true), (already) => (already ? Effect.void : fork(inBackground)))
  return { fold, soon, whenDue: Effect.suspend(() => (log.isFoldDue() ? soon : Effect.void)) }
}
