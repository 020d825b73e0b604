/**
 * The log of one thread: takes steps, keeps them, and shows them. Text is shown at once and gathered for the disk. Everything else is shown
 * when it is kept, together with the text that came before it. All of it happens within the lane of its thread.
 */
import { Sequence } from "@signalbox/contracts/Ids"
import { isTextEnd, isTextPiece } from "@signalbox/contracts/TextEvents"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { Chunk, SentPrompt, StoredReceipt, ThreadCommit, ThreadFold, ThreadStore } from "../storage/ThreadStore.ts"
import { joinLogged } from "./EventJoining.ts"
import * as FoldCost from "./FoldCost.ts"
import * as PendingEvents from "./PendingEvents.ts"
import * as Staged from "./Staged.ts"
import type { ThreadFeed } from "./ThreadFeed.ts"
import * as ThreadRecall from "./ThreadRecall.ts"
import type { ThreadState } from "./ThreadState.ts"
import * as Unfolded from "./Unfolded.ts"

/** A step that is not taken yet. */
export interface Step {
  /** With the text that was gathered before. */
  readonly commit: ThreadCommit
  readonly staged: Staged.Staged
}

/** A receipt but for the place in the log, which staging knows. */
export type ReceiptOf = Omit<StoredReceipt, "sequence">

export interface ThreadLog {
  /** Whether the events are text that can be shown before it is kept. */
  readonly isText: (events: ReadonlyArray<ThreadEvent>) => boolean
  /** Shows text, and keeps it later. */
  readonly gather: (events: ReadonlyArray<ThreadEvent>) => void
  readonly pending: Pick<PendingEvents.PendingEvents, "isEmpty" | "isEnough" | "isTooMuch" | "clear">
  /** Writes what was gathered. */
  readonly flush: Effect.Effect<void, StorageError>
  readonly stage: (
    events: ReadonlyArray<ThreadEvent>,
    more?: { readonly receipt?: ReceiptOf; readonly sent?: SentPrompt; readonly chunks?: ReadonlyArray<Chunk> }
  ) => Effect.Effect<Step, StorageError>
  /** Makes a step the state and shows it. Only after its commit, and before anything else is staged. */
  readonly adopt: (step: Step) => void
  /** Whether so much was written since the last fold that it is time for another. */
  readonly isFoldDue: () => boolean
  /** Puts the state in the place of the log. */
  readonly fold: Effect.Effect<void, StorageError>
}

export const make = (state: ThreadState, store: ThreadStore["Service"], feed: ThreadFeed): ThreadLog => {
  const { threadId } = state
  const pending = PendingEvents.make()
  const cost = FoldCost.make()

  const stage: ThreadLog["stage"] = (events, { chunks, receipt, sent } = {}) =>
    Effect.map(ThreadRecall.recall(store, state, events), () => {
      const staged = Staged.stage(state, numbered(state, events))
      const fold = FoldCost.foldInstead(state, staged)
      const sequence = staged.head?.sequence ?? Sequence.make(0)
      return {
        commit: {
          threadId,
          events: joinLogged([...pending.joined(), ...staged.events]),
          head: staged.head,
          ...(chunks && chunks.length > 0 && { chunks }),
          ...(fold && { fold }),
          ...(sent && { sent }),
          ...(receipt && { receipt: { ...receipt, sequence } })
        },
        staged
      }
    })

  const adopt: ThreadLog["adopt"] = ({ commit, staged }) => {
    Staged.adopt(state, staged)
    if (commit.fold) folded(commit.fold)
    else {
      pending.clear()
      FoldCost.count(cost, commit.events)
    }
    show(staged.events)
  }

  const show = (events: ReadonlyArray<LoggedEvent>): void => {
    if (events.length > 0 && state.head !== undefined) feed.show(state.head, events)
  }

  const folded = (fold: ThreadFold): void => {
    pending.clear()
    Unfolded.written(state)
    FoldCost.paid(cost, fold)
  }

  const flush = Effect.suspend(() =>
    feed.hasEnded() || pending.isEmpty()
      ? Effect.void
      : Effect.flatMap(stage([]), (step) =>
          Effect.andThen(
            store.commit([step.commit]),
            Effect.sync(() => adopt(step))
          )
        )
  ).pipe(Effect.uninterruptible)

  const writeState = Effect.suspend(() => {
    const fold = Unfolded.foldOf(state)
    if (fold === undefined) return Effect.void
    return Effect.andThen(
      store.fold(fold),
      Effect.sync(() => folded(fold))
    )
  })

  return {
    isText: (events) =>
      state.head !== undefined && events.every(isOfText) && ThreadRecall.absentIn(state, events) === undefined,
    gather: (events) => {
      const staged = Staged.stage(state, numbered(state, events))
      Staged.adopt(state, staged)
      pending.add(staged.events)
      show(staged.events)
    },
    pending,
    flush,
    stage,
    adopt,
    isFoldDue: () => FoldCost.isDue(cost),
    fold: Effect.suspend(() => {
      // Whoever waited for the lane of a thread that was removed meanwhile must not write it again.
      if (feed.hasEnded()) return Effect.void
      // Where it fails, it is tried again when as much has come once more.
      FoldCost.reset(cost)
      return Effect.andThen(flush, writeState)
    }).pipe(Effect.uninterruptible)
  }
}

/** Events at their places, behind what the state has taken in. */
const numbered = ({ head }: ThreadState, events: ReadonlyArray<ThreadEvent>): ReadonlyArray<LoggedEvent> => {
  const start = head?.sequence ?? 0
  return events.map((event, index) => ({ sequence: Sequence.make(start + index + 1), event }))
}

/** Pieces of text, and ends of items at which their text goes on in the next one. An end of the text itself is committed at once. */
const isOfText = (event: ThreadEvent): boolean => isTextPiece(event) || (isTextEnd(event) && event.continued === true)
