/**
 * What an agent asks of people in a session, until it is answered. A prompt that is cancelled and a session that is closed
 * take back what is open: the agent is answered at once, and its question is over (ACP v1, prompt turn, cancellation).
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

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
  /** Takes back what is open, and what is still asked until `resume`. */
  readonly withdraw: (sessionId: string) => void
  readonly resume: (sessionId: string) => void
}

export const make = (): OpenQuestions => {
  const open = new Map<string, Set<() => void>>()
  const withdrawing = new Set<string>()

  const ask: OpenQuestions["ask"] = (sessionId, question, withdrawn) =>
    Effect.suspend(() => {
      if (sessionId === undefined) return question
      const over = Deferred.makeUnsafe<typeof withdrawn>()
      const takeBack = () => {
        Deferred.doneUnsafe(over, Exit.succeed(withdrawn))
      }
      if (withdrawing.has(sessionId)) takeBack()
      const questions = open.get(sessionId) ?? new Set()
      open.set(sessionId, questions.add(takeBack))
      const settle = Effect.sync(() => {
        questions.delete(takeBack)
        if (questions.size === 0 && open.get(sessionId) === questions) open.delete(sessionId)
      })
      return Effect.ensuring(Effect.raceFirst(question, Deferred.await(over)), settle)
    })

  return {
    ask,
    withdraw: (sessionId) => {
      withdrawing.add(sessionId)
      for (const takeBack of open.get(sessionId) ?? []) takeBack()
    },
    resume: (sessionId) => {
      withdrawing.delete(sessionId)
    }
  }
}
