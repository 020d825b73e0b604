/** Wraps `ThreadStore`: times its transactions and folds, and counts what they write. */
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ThreadStore } from "../storage/ThreadStore.ts"
import * as Meter from "./Meter.ts"
import * as Metrics from "./Metrics.ts"

const make = Effect.gen(function* () {
  const store = yield* ThreadStore
  const meter = yield* Meter.make
  const transactions = Meter.labelled(Metrics.transactions, ["outcome"])
  const folds = Meter.labelled(Metrics.folds, ["outcome"])
  const turns = Meter.labelled(Metrics.turns, ["ending"])
  const started = Meter.labelled(Metrics.agentsStarted, ["provider", "origin"])
  const exited = Meter.labelled(Metrics.agentsExited, ["provider", "expected"])

  /** Counts turns and agents by their committed events. */
  const note = (event: ThreadEvent): void => {
    const { type } = event
    if (type === "turn.completed") meter.note(turns(event.outcome), 1)
    else if (type === "turn.failed") meter.note(turns("failed"), 1)
    else if (type === "turn.lost") meter.note(turns("lost"), 1)
    else if (type === "turn.withdrawn") meter.note(turns("withdrawn"), 1)
    else if (type === "turn.steered" && event.way === "agent") meter.note(turns("steered"), 1)
    else if (type === "session.started") meter.note(started(event.providerKind, event.origin), 1)
    else if (type === "session.exited") meter.note(exited(event.providerKind, String(event.expected)), 1)
    else if (type === "session.restart.scheduled") meter.note(Metrics.agentRestarts, 1)
  }

  return ThreadStore.of({
    ...store,
    commit: (commits) =>
      meter.timed(store.commit(commits), (seconds, done) => {
        meter.note(transactions(done ? "done" : "failed"), 1)
        meter.note(Metrics.transactionSeconds, seconds)
        if (!done) return
        let written = 0
        for (const { events, fold } of commits) {
          written += events.length
          for (const { event } of events) note(event)
          if (fold !== undefined) meter.note(folds("done"), 1)
        }
        if (written > 0) meter.note(Metrics.flushEvents, written)
      }),
    fold: (fold) =>
      meter.timed(store.fold(fold), (seconds, done) => {
        meter.note(folds(done ? "done" : "failed"), 1)
        meter.note(Metrics.foldSeconds, seconds)
      })
  })
})

/** Wraps the `ThreadStore` that it is provided with. */
export const layer: Layer.Layer<ThreadStore, never, ThreadStore> = Layer.effect(ThreadStore, make)
