/** Calls of tools that take long: how many are answered at once, and which ones end when a session of the client is cancelled. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

export interface SessionCalls {
  /** Answers a call when it is its turn. Ends with `orElse` when the session, by its id, is cancelled. */
  readonly take: <A, E, E2>(
    sessionId: string | undefined,
    answer: Effect.Effect<A, E>,
    orElse: () => E2
  ) => Effect.Effect<A, E | E2>
  /** Ends the calls of a session. */
  readonly cancel: (sessionId: string) => void
}

export const make = (atOnce: number): SessionCalls => {
  const permits = Semaphore.makeUnsafe(atOnce)
  const open = new Map<string, Set<Deferred.Deferred<void>>>()
  return {
    take: (sessionId = "", answer, orElse) =>
      Effect.suspend(() => {
        const cancelled = Deferred.makeUnsafe<void>()
        const taken = open.get(sessionId) ?? new Set()
        open.set(sessionId, taken.add(cancelled))
        return Effect.raceFirst(
          permits.withPermits(1)(answer),
          Effect.andThen(
            Deferred.await(cancelled),
            Effect.suspend(() => Effect.fail(orElse()))
          )
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              taken.delete(cancelled)
              if (taken.size === 0 && open.get(sessionId) === taken) open.delete(sessionId)
            })
          )
        )
      }),
    cancel: (sessionId) => {
      for (const cancelled of open.get(sessionId) ?? []) Deferred.doneUnsafe(cancelled, Effect.void)
    }
  }
}
