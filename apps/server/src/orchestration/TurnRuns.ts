/** Turns on their way to the agent: one run after the other, and what comes between. */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Interjection from "@signalbox/threads/Interjection"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import { notSent } from "@signalbox/threads/Decider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as MutableRef from "effect/MutableRef"
import * as Semaphore from "effect/Semaphore"
import type { ProviderError } from "../base/ProviderError.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { problemOf, reporting } from "./ReactionProblems.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import * as SessionHistory from "./SessionHistory.ts"
import type { SessionRestarts } from "./SessionRestarts.ts"
import * as TurnHandover from "./TurnHandover.ts"
import { isOver, type Run, turnOf } from "./TurnHandover.ts"
import { startFailed, type ThreadSession } from "./ThreadSession.ts"

export interface TurnRuns {
  /** Runs the turn that is next to its end; does nothing where it is not the next any more by the time that the agent is there for it. */
  readonly run: (turnId: TurnId) => Effect.Effect<void>
  /**
   * Gives a prompt to the agent in the middle of its turn. Where that does not take it, it makes way for this one. Returns when the
   * prompt is settled, or the agent is at work on it: then another may come between.
   */
  readonly interject: (turnId: TurnId) => Effect.Effect<void>
  /** Stops a turn; returns when its end is in the log. */
  readonly interrupt: (turnId: TurnId) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* (
  thread: ReactingThread,
  session: ThreadSession,
  restarts: SessionRestarts,
  history: MutableRef.MutableRef<SessionHistory.SessionHistory>
): Effect.fn.Return<TurnRuns, never, ProviderService> {
  const provider = yield* ProviderService
  const { append, threadId, until } = thread
  const { deliver, fail, handOver, interrupt, sessionFor } = yield* TurnHandover.make(thread, session)
  /** The agent is given one prompt after the other. */
  const inTurnLane = Semaphore.withPermit(yield* Semaphore.make(1))

  /** On record before the agent sees it: whatever happens next, it is not sent again. Says whether it still `isDue`. */
  const dispatch = Effect.fn("TurnRuns.dispatch")((turnId: TurnId, isDue: (head: ThreadHead) => boolean) =>
    append((head) => (isDue(head) ? [{ type: "turn.dispatched", turnId }] : []))
  )

  const run = Effect.fn("TurnRuns.run")(function* (run: Run) {
    const { turnId } = run
    // A turn that waited when its agent ended by itself does not hurry the next agent.
    yield* restarts.afterCrash(() => turnOf(thread.head(), turnId)?.queuedAt, isOver(turnId))
    if (isOver(turnId)(thread.head())) return
    const started = yield* Effect.exit(sessionFor(run))
    if (Exit.isFailure(started)) {
      const problem = problemOf(started.cause)
      yield* append((head) =>
        isOver(turnId)(head) ? startFailed(head, problem) : [{ type: "turn.failed", turnId, problem }]
      )
      return
    }
    if (!run.isWanted()) return yield* Effect.asVoid(fail(turnId, notSent))
    // It may be held by now, or another may have been put before it.
    if (yield* dispatch(turnId, (head) => TurnQueue.next(head)?.turnId === turnId)) yield* deliver(run)
  }, inTurnLane)

  const interject = Effect.fn("TurnRuns.interject")(function* (run: Run) {
    const { turnId } = run
    let into: TurnId | undefined
    const isDue = (head: ThreadHead) => {
      const due = Interjection.next(head)
      into = due?.turn.turnId === turnId ? due.into.turnId : undefined
      return into !== undefined
    }
    const dispatched = yield* dispatch(turnId, isDue)
    const turn = turnOf(thread.head(), turnId)
    if (!dispatched || into === undefined || turn === undefined) return
    const running = into
    if ((yield* provider.steer(threadId, { turnId, into, prompt: turn.prompt })) === "taken") {
      yield* append((head) =>
        isOver(turnId)(head) ? [] : [{ type: "turn.steered", turnId, way: "agent", into: running }]
      )
      return
    }
    // Its end may be on its way.
    yield* Effect.timeoutOption(until(isOver(running)), "1 second")
    const isSent = (head: ThreadHead) => turnOf(head, turnId)?.status === "sent"
    if (yield* append((head) => (isSent(head) ? Interjection.makeWay(head, turnId) : []))) yield* interrupt(running)
    // One that was stopped meanwhile need not wait for the turn before it.
    yield* isSent(thread.head()) ? inTurnLane(deliver(run)) : handOver(run)
  })

  const begun = (turnId: TurnId, through: (run: Run) => Effect.Effect<void, ProviderError>) =>
    Effect.suspend(() =>
      through({ turnId, isWanted: SessionHistory.untilStopped(history) }).pipe(
        reporting((problem) => fail(turnId, problem))
      )
    )

  return {
    run: (turnId) => begun(turnId, run),
    interject: Effect.fnUntraced(function* (turnId) {
      const over = yield* Deferred.make<void>()
      yield* thread.fork(Effect.ensuring(begun(turnId, interject), Deferred.succeed(over, undefined)))
      yield* Effect.raceFirst(Deferred.await(over), until(isAtWork(turnId)))
    }),
    interrupt
  }
})

const isAtWork =
  (turnId: TurnId) =>
  (head: ThreadHead): boolean => {
    const status = turnOf(head, turnId)?.status
    return status === "working" || status === "waiting"
  }
