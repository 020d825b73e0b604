/** Hands turns over to the agent, sees them to their end, and stops them. */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import { notSent } from "@signalbox/threads/Decider"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type { ProviderError } from "../base/ProviderError.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { endless, forgotten, problemOf } from "./ReactionProblems.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import type { ThreadSession } from "./ThreadSession.ts"

/** A turn on its way to the agent. */
export interface Run {
  readonly turnId: TurnId
  /** Whether nobody stopped the session since the run began. Else no agent is started for it. */
  readonly isWanted: () => boolean
}

export interface TurnHandover {
  /** Starts the agent for a run, unless it is there. */
  readonly sessionFor: (run: Run) => Effect.Effect<void, ProviderError>
  /** Gives a dispatched prompt to the agent, unless Stop was pressed before, on the turn or the session. */
  readonly handOver: (run: Run) => Effect.Effect<void, ProviderError>
  /** Hands over what is dispatched, and sees the turn to its end. */
  readonly deliver: (run: Run) => Effect.Effect<void, ProviderError>
  /** Stops a turn; returns when its end is in the log. */
  readonly interrupt: (turnId: TurnId) => Effect.Effect<void>
  /** Puts on record that a turn failed, unless it has ended. */
  readonly fail: (turnId: TurnId, problem: Problem) => Effect.Effect<boolean>
}

/** How long what was emitted may take to arrive in the log before we say that it does not come. */
const arrival = "30 seconds"

export const make = Effect.fnUntraced(function* (
  thread: ReactingThread,
  session: ThreadSession
): Effect.fn.Return<TurnHandover, never, ProviderService> {
  const provider = yield* ProviderService
  const { append, threadId, until } = thread
  /** The turn that the adapter has been given: from here on Stop is the adapter's to carry out. */
  const given = yield* Ref.make<TurnId | undefined>(undefined)

  const fail: TurnHandover["fail"] = (turnId, problem) =>
    append((head) => (isOver(turnId)(head) ? [] : [{ type: "turn.failed", turnId, problem }]))

  const handOver = Effect.fn("TurnRuns.handOver")(function* (run: Run): Effect.fn.Return<void, ProviderError> {
    const { turnId } = run
    // The look and the claim are one step: a Stop that came between would find nothing to stop.
    const found = yield* Ref.modify(given, (before) => {
      const found = claimable(thread.head(), run)
      return [found, typeof found === "string" ? before : turnId]
    })
    if (found === "unwanted") yield* fail(turnId, notSent)
    else if (found === "stopped")
      yield* append((head) => (isOver(turnId)(head) ? [] : [{ type: "turn.withdrawn", turnId }]))
    else
      yield* provider.sendTurn(threadId, { turnId, prompt: found.prompt }).pipe(
        // An end that is on record is an end, even if the adapter does not come back from it.
        Effect.raceFirst(Effect.andThen(until(isOver(turnId)), Effect.sleep("5 seconds"))),
        Effect.ensuring(Ref.set(given, undefined))
      )
  })

  /** A session that knows nothing of what was said gets no prompt that was meant for another one. */
  const handOverAgain = (run: Run) =>
    Effect.suspend(() => {
      const head = thread.head()
      return head.forgotten === "open" ? Effect.asVoid(fail(run.turnId, forgotten(head))) : handOver(run)
    })

  const sessionFor = (run: Run) => session.ensure(run.isWanted, (head) => !isOver(run.turnId)(head))

  return {
    sessionFor,
    handOver,
    deliver: Effect.fnUntraced(function* (run: Run) {
      const { turnId } = run
      yield* handOver(run).pipe(
        // The agent went away unnoticed and never saw the prompt, so this is no second sending.
        Effect.catchIf(isSessionGone, () => Effect.andThen(sessionFor(run), handOverAgain(run)))
      )
      const ended = yield* Effect.timeoutOption(until(isOver(turnId)), arrival)
      if (Option.isNone(ended)) yield* fail(turnId, endless(thread.head()))
    }),
    interrupt: Effect.fn("TurnRuns.interrupt")(function* (turnId: TurnId) {
      while (!isOver(turnId)(thread.head())) {
        const isGiven = (yield* Ref.get(given)) === turnId
        const stopped = isGiven ? yield* Effect.exit(provider.interruptTurn(threadId, turnId)) : Exit.void
        // A turn that the adapter has only just been given may not be one to it yet: then Stop is repeated.
        const ended = yield* Effect.timeoutOption(until(isOver(turnId)), "1 second")
        // Also where the thread was removed: its turn ends no more.
        if (Option.isSome(ended)) return
        if (Exit.isFailure(stopped) && (yield* Ref.get(given)) === turnId) yield* fail(turnId, problemOf(stopped.cause))
      }
    }),
    fail
  }
})

/** The turn, if the agent may have it; else why it may not. */
const claimable = (head: ThreadHead, { isWanted, turnId }: Run): TurnView | "unwanted" | "stopped" => {
  const turn = turnOf(head, turnId)
  if (turn !== undefined && !isWanted()) return "unwanted"
  return turn?.status === "sent" ? turn : "stopped"
}

export const turnOf = (head: ThreadHead, turnId: TurnId): TurnView | undefined =>
  head.turns.find((turn) => turn.turnId === turnId)

/** Whether a turn has ended, or its thread has none such any more. */
export const isOver =
  (turnId: TurnId) =>
  (head: ThreadHead): boolean => {
    const turn = turnOf(head, turnId)
    return turn === undefined || hasEnded(turn.status)
  }

/** Whether a prompt did not reach the agent because there is no session that takes it. */
const isSessionGone = ({ problem: { code } }: ProviderError): boolean =>
  code === "session-not-found" || code === "agent-output-closed"
