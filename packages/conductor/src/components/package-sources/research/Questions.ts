/** The questions of a connection: how many are asked at once, and which ones end when a session of the client is cancelled. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

export interface Questions {
  /** Asks when it is its turn. Ends with `orElse` when the session, by its id, is cancelled. */
  readonly take: <A, E, E2>(
    sessionId: string | undefined,
    ask: Effect.Effect<A, E>,
    orElse: () => E2
  ) => Effect.Effect<A, E | E2>
  /** Ends the questions of a session. */
  readonly cancel: (sessionId: string) => void
}

export const make = (atOnce: number): Questions => {
  const permits = Semaphore.makeUnsafe(atOnce)
  const open = new Map<string, Set<Deferred.Deferred<void>>>()
  return {
    take: (sessionId = "", ask, orElse) =>
      Effect.suspend(() => {
        const cancelled = Deferred.makeUnsafe<void>()
        const asked = open.get(sessionId) ?? new Set()
        open.set(sessionId, asked.add(cancelled))
        return Effect.raceFirst(
          permits.withPermits(1)(ask),
          Effect.andThen(
            Deferred.await(cancelled),
            Effect.suspend(() => Effect.fail(orElse()))
          )
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              asked.delete(cancelled)
              if (asked.size === 0 && open.get(sessionId) === asked) open.delete(sessionId)
            })
          )
        )
      }),
    cancel: (sessionId) => {
      for (const cancelled of open.get(sessionId) ?? []) Deferred.doneUnsafe(cancelled, Effect.void)
    }
  }
}
