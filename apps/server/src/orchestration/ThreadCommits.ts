/** Commits the steps of a thread: staged, written in one transaction, made the state, and followed by what they ask for. */
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import type { OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type * as Intent from "@signalbox/threads/Intent"
import type { Report } from "@signalbox/threads/Report"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { StorageError } from "../storage/StorageError.ts"
import type { SentPrompt, ThreadCommit, ThreadStore } from "../storage/ThreadStore.ts"
import * as SessionHistory from "./SessionHistory.ts"
import type { ThreadFolding } from "./ThreadFolding.ts"
import type { ReceiptOf, Step, ThreadLog } from "./ThreadLog.ts"
import * as ThreadState from "./ThreadState.ts"

/** Who brought the events of a step. */
export type Committed = Extract<Intent.Occasion, { readonly events: unknown }>["type"]

/** All of it within the lane of the thread. */
export interface ThreadCommits {
  readonly commit: (
    type: Committed,
    events: ReadonlyArray<ThreadEvent>,
    receipt?: ReceiptOf,
    sent?: SentPrompt
  ) => Effect.Effect<ThreadCommit, StorageError>
  /** Commits the events that the state calls for; says whether there were any. */
  readonly report: (reports: (head: ThreadHead) => ReadonlyArray<Report>) => Effect.Effect<boolean, StorageError>
  /** Makes a committed step the state, and sets in motion what follows from it. */
  readonly adopted: (type: Committed, step: Step) => Effect.Effect<void>
}

interface Options {
  readonly state: ThreadState.ThreadState
  readonly store: ThreadStore["Service"]
  readonly log: Pick<ThreadLog, "stage" | "adopt">
  readonly folding: Pick<ThreadFolding, "soon" | "whenDue">
  readonly history: MutableRef.MutableRef<SessionHistory.SessionHistory>
  /** Begins what the step asks for; see `ReactionLoop`. */
  readonly follow: (occasion: Intent.Occasion) => Effect.Effect<void>
}

export const make = ({ folding, follow, history, log, state, store }: Options): ThreadCommits => {
  const adopted: ThreadCommits["adopted"] = (type, step) =>
    Effect.suspend(() => {
      const { events } = step.commit
      // Before anybody learns of the new state and acts on it.
      MutableRef.update(history, (before) =>
        events.reduce((seen, { event }) => SessionHistory.after(seen, event), before)
      )
      log.adopt(step)
      const turnEnded = events.some(({ event }) => endings.has(event.type))
      return Effect.andThen(turnEnded ? folding.soon : folding.whenDue, follow({ type, events }))
    })

  const commit: ThreadCommits["commit"] = (type, events, receipt, sent) =>
    Effect.flatMap(log.stage(events, { ...(receipt && { receipt }), ...(sent && { sent }) }), (step) =>
      store.commit([step.commit]).pipe(Effect.andThen(adopted(type, step)), Effect.as(step.commit))
    ).pipe(Effect.uninterruptible)

  return {
    commit,
    adopted,
    report: Effect.fnUntraced(function* (reports: (head: ThreadHead) => ReadonlyArray<Report>) {
      const at = yield* Clock.currentTimeMillis
      const head = ThreadState.headOf(state)
      const { threadId } = head
      const events = reports(head).map((report): OrchestrationEvent => ({ ...report, threadId, at }))
      if (events.length > 0) yield* commit("reported", events)
      return events.length > 0
    })
  }
}

const endings: ReadonlySet<ThreadEvent["type"]> = new Set(["turn.completed", "turn.failed", "turn.lost"])
