/**
 * What an agent asks of people in a session, until it is answered. A prompt that is cancelled and a session that is closed
 * take back what is open: the agent is answered at once, and its question is over (ACP v1, prompt turn, cancellation).
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** The reason why questions of a session are taken back: its turn was cancelled, or it is being closed. */
export type Reason = "cancelled" | "closing"

export interface OpenQuestions {
  /**
   * Asks, and answers with `withdrawn` as soon as the session's questions are taken back; the one who was asked is
   * interrupted then. A question without a session is never taken back.
   */
  readonly ask: <A, E, R>(
    sessionId: string | undefined,
    question: Effect.Effect<A, E, R>,
    withdrawn: A
  ) => Effect.Effect<A, E, R>
  /** Takes back what is open, and what is asked until `resume` was called for each reason. */
  readonly withdraw: (sessionId: string, reason: Reason) => void
  readonly resume: (sessionId: string, reason: Reason) => void
}

export const make = (): OpenQuestions => {
  const open = new Map<string, Set<() => void>>()
  const withdrawing: { readonly [reason in Reason]: Set<string> } = { cancelled: new Set(), closing: new Set() }

  const ask: OpenQuestions["ask"] = (sessionId, question, withdrawn) =>
    Effect.suspend(() => {
      if (sessionId === undefined) return question
      const over = Deferred.makeUnsafe<typeof withdrawn>()
      const takeBack = () => {
        Deferred.doneUnsafe(over, Exit.succeed(withdrawn))
      }
      const isLate = withdrawing.cancelled.has(sessionId) || withdrawing.closing.has(sessionId)
      if (isLate) takeBack()
      const questions = open.get(sessionId) ?? new Set()
      open.set(sessionId, questions.add(takeBack))
      const settle = Effect.sync(() => {
        questions.delete(takeBack)
        if (questions.size === 0 && open.get(sessionId) === questions) open.delete(sessionId)
      })
      const answer = Effect.raceFirst(question, Deferred.await(over))
      // A handler that answers immediately wins the race. It must not decide in a turn that was cancelled.
      return Effect.ensuring(isLate ? Effect.as(answer, withdrawn) : answer, settle)
    })

  return {
    ask,
    withdraw: (sessionId, reason) => {
      withdrawing[reason].add(sessionId)
      for (const takeBack of open.get(sessionId) ?? []) takeBack()
    },
    resume: (sessionId, reason) => {
      withdrawing[reason].delete(sessionId)
    }
  }
}
