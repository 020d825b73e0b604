/** Turns on their way to the agent: one run after the other, and what comes between. */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import type { ProviderError } from "../base/ProviderError.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { notSent } from "@signalbox/threads/Decider"
import * as Interjection from "@signalbox/threads/Interjection"
import { endless, forgotten, problemOf, reporting } from "./ReactionProblems.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import type { SessionHistory } from "./SessionHistory.ts"
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

/** A turn on its way to the agent. */
interface Run {
  readonly turnId: TurnId
  /** Whether a person stopped the session after the run began. Then no agent is started for it. */
  readonly isStopped: () => boolean
}

/** How long what was emitted may take to arrive in the log before we say that it does not come. */
const arrival = "30 seconds"

export const make = Effect.fnUntraced(function* (
  thread: ReactingThread,
  session: ThreadSession,
  history: MutableRef.MutableRef<SessionHistory>
): Effect.fn.Return<TurnRuns, never, ProviderService> {
  const provider = yield* ProviderService
  const { append, threadId, until } = thread
  /** The turn that the adapter has been given: from here on Stop is the adapter's to carry out. */
  let handedOver: TurnId | undefined
  /** The agent is given one prompt after the other. */
  const inTurnLane = Semaphore.withPermit(yield* Semaphore.make(1))

  const failTurn = (turnId: TurnId, problem: Problem) =>
    append((head) => (isOver(turnId)(head) ? [] : [{ type: "turn.failed", turnId, problem }]))

  /** On record before the agent sees it: whatever happens next, it is not sent again. Says whether it still `isDue`. */
  const dispatch = Effect.fn("TurnRuns.dispatch")((turnId: TurnId, isDue: (head: ThreadHead) => boolean) =>
    append((head) => (isDue(head) ? [{ type: "turn.dispatched", turnId }] : []))
  )

  /** Gives the prompt to the agent, unless Stop was pressed before, on the turn or the session. */
  const handOver = Effect.fn("TurnRuns.handOver")(({ isStopped, turnId }: Run): Effect.Effect<void, ProviderError> => {
    const turn = turnOf(thread.head(), turnId)
    if (turn !== undefined && isStopped()) return Effect.asVoid(failTurn(turnId, notSent))
    if (turn?.status !== "sent")
      return Effect.asVoid(append((head) => (isOver(turnId)(head) ? [] : [{ type: "turn.withdrawn", turnId }])))
    handedOver = turnId
    return provider.sendTurn(threadId, { turnId, prompt: turn.prompt }).pipe(
      // An end that is on record is an end, even if the adapter does not come back from it.
      Effect.raceFirst(Effect.andThen(until(isOver(turnId)), Effect.sleep("5 seconds"))),
      Effect.ensuring(Effect.sync(() => (handedOver = undefined)))
    )
  })

  /** A session that knows nothing of what was said gets no prompt that was meant for another one. */
  const handOverAgain = (run: Run) =>
    Effect.suspend(() => {
      const head = thread.head()
      return head.forgotten === "open" ? Effect.asVoid(failTurn(run.turnId, forgotten(head))) : handOver(run)
    })

  /** Hands over what is dispatched, and sees the turn to its end. */
  const deliver = Effect.fnUntraced(function* (run: Run) {
    const { turnId } = run
    yield* handOver(run).pipe(
      // The agent went away unnoticed and never saw the prompt, so this is no second sending.
      Effect.catchIf(isSessionGone, () => Effect.andThen(sessionFor(run), handOverAgain(run)))
    )
    const ended = yield* Effect.timeoutOption(until(isOver(turnId)), arrival)
    if (Option.isNone(ended)) yield* failTurn(turnId, endless(thread.head()))
  })

  const sessionFor = (run: Run) =>
    session.ensure(
      () => !run.isStopped(),
      (head) => !isOver(run.turnId)(head)
    )

  const run = Effect.fn("TurnRuns.run")(function* (run: Run) {
    const { turnId } = run
    // A turn that waited when its agent ended by itself does not hurry the next agent.
    yield* session.afterCrash(() => turnOf(thread.head(), turnId)?.queuedAt, isOver(turnId))
    if (isOver(turnId)(thread.head())) return
    const started = yield* Effect.exit(sessionFor(run))
    if (Exit.isFailure(started)) {
      const problem = problemOf(started.cause)
      yield* append((head) =>
        isOver(turnId)(head) ? startFailed(head, problem) : [{ type: "turn.failed", turnId, problem }]
      )
      return
    }
    if (run.isStopped()) return yield* Effect.asVoid(failTurn(turnId, notSent))
    // It may be held by now, or another may have been put before it.
    if (yield* dispatch(turnId, (head) => TurnQueue.next(head)?.turnId === turnId)) yield* deliver(run)
  }, inTurnLane)

  const interrupt = Effect.fn("TurnRuns.interrupt")(function* (turnId: TurnId) {
    while (!isOver(turnId)(thread.head())) {
      const stopped = handedOver === turnId ? yield* Effect.exit(provider.interruptTurn(threadId, turnId)) : Exit.void
      // A turn that the adapter has only just been given may not be one to it yet: then Stop is repeated.
      const ended = yield* Effect.timeoutOption(until(isOver(turnId)), "1 second")
      // Also where the thread was removed: its turn ends no more.
      if (Option.isSome(ended)) return
      if (Exit.isFailure(stopped) && handedOver === turnId) yield* failTurn(turnId, problemOf(stopped.cause))
    }
  })

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
    Effect.suspend(() => {
      const { stops } = history.current
      const isStopped = () => history.current.stops !== stops
      return through({ turnId, isStopped }).pipe(reporting((problem) => failTurn(turnId, problem)))
    })

  return {
    run: (turnId) => begun(turnId, run),
    interject: Effect.fnUntraced(function* (turnId) {
      const over = yield* Deferred.make<void>()
      const isAtWork = (head: ThreadHead) => {
        const status = turnOf(head, turnId)?.status
        return status === "working" || status === "waiting"
      }
      yield* thread.fork(Effect.ensuring(begun(turnId, interject), Deferred.succeed(over, undefined)))
      yield* Effect.raceFirst(Deferred.await(over), until(isAtWork))
    }),
    interrupt
  }
})

const turnOf = (head: ThreadHead, turnId: TurnId): TurnView | undefined =>
  head.turns.find((turn) => turn.turnId === turnId)

/** Whether a turn has ended, or its thread has none such any more. */
const isOver =
  (turnId: TurnId) =>
  (head: ThreadHead): boolean => {
    const turn = turnOf(head, turnId)
    return turn === undefined || hasEnded(turn.status)
  }

/** Whether a prompt did not reach the agent because there is no session that takes it. */
const isSessionGone = ({ problem: { code } }: ProviderError): boolean =>
  code === "session-not-found" || code === "agent-output-closed"
