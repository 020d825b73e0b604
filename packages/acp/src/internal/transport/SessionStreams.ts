/** The event streams that a connection listens to: its own, and one of each session. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberMap from "effect/FiberMap"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { TransportError } from "../rpc/Transport.ts"
import * as EventStream from "./EventStream.ts"
import type { HttpExchange } from "./HttpExchange.ts"
import type { Inbox } from "./Inbox.ts"
import type { OpenRequests } from "./OpenRequests.ts"

export interface SessionStreams {
  /** Leaves all streams and conflicts of an earlier connection. What its sessions still owe fails. */
  readonly leave: Effect.Effect<void>
  /** Listens to the stream of the connection. The end of that stream ends the connection. */
  readonly start: Effect.Effect<void>
  /** Completes when the session's stream is open. Fails while the session is in conflict. */
  readonly attend: (sessionId: string) => Effect.Effect<void, TransportError>
  readonly isAttended: (sessionId: string) => boolean
  /** Listens to the session no longer. */
  readonly detach: (sessionId: string) => Effect.Effect<void>
  /** Puts a session that was refused with 409 in conflict: fails its requests, and listens to it no longer. */
  readonly conflicted: (sessionId: string, error: TransportError) => Effect.Effect<void>
  /** Ends the conflict of a session, so that its stream may be opened again. */
  readonly reconcile: (sessionId: string) => void
  /** Ends the connection, with an error or in order. */
  readonly end: (error: TransportError | undefined) => Effect.Effect<void>
}

/** Passes on the messages of a stream. The connection's stream has no name. */
export type Deliver = (messages: ReadonlyArray<string>, stream: string | undefined) => Effect.Effect<void>

interface Options {
  readonly exchange: Pick<HttpExchange, "listen">
  readonly inbox: Pick<Inbox, "put" | "end">
  readonly requests: Pick<OpenRequests, "fail">
  /** Runs an effect in a fiber of its own, which ends with the connection's scope. */
  readonly fork: (effect: Effect.Effect<void>) => void
  /** The longest message, in UTF-16 code units. */
  readonly maxMessageBytes: number
}

/** Makes the streams. `deliverOf` gets them, and they can be used when it has returned. */
export const make = Effect.fnUntraced(function* (
  { exchange, fork, inbox, maxMessageBytes, requests }: Options,
  deliverOf: (streams: SessionStreams) => Deliver
): Effect.fn.Return<SessionStreams, never, Scope.Scope> {
  /** The readers of the streams. The connection's stream has no name. */
  const listeners = yield* FiberMap.make<string | undefined>()
  const opening = new Map<string, Deferred.Deferred<void, TransportError>>()
  const conflicts = new Map<string, TransportError>()

  const end: SessionStreams["end"] = (error) =>
    // The listeners are cleared last, since one of them may run this.
    Effect.map(inbox.end(error), () => fork(FiberMap.clear(listeners)))

  const listen = (stream: string | undefined, opened: Deferred.Deferred<void, TransportError>) =>
    exchange.listen(stream).pipe(
      Effect.flatMap((bytes) => {
        Deferred.doneUnsafe(opened, Exit.void)
        const events = EventStream.make(maxMessageBytes)
        return Stream.runForEachArray(bytes, (chunks) =>
          Effect.flatMap(Effect.fromResult(events(chunks)), (messages) => deliver(messages, stream))
        )
      }),
      Effect.matchEffect({
        onSuccess: () => (stream === undefined ? end(undefined) : dropped(stream)),
        onFailure: (error) => {
          Deferred.doneUnsafe(opened, Exit.fail(error))
          return stream !== undefined && error.status === 409 ? conflicted(stream, error) : end(error)
        }
      })
    )

  const attend: SessionStreams["attend"] = (sessionId) =>
    Effect.suspend(() => {
      const conflict = conflicts.get(sessionId)
      if (conflict !== undefined) return Effect.fail(conflict)
      const there = opening.get(sessionId)
      if (there !== undefined) return Deferred.await(there)
      const opened = Deferred.makeUnsafe<void, TransportError>()
      opening.set(sessionId, opened)
      return Effect.andThen(FiberMap.run(listeners, sessionId, listen(sessionId, opened)), Deferred.await(opened))
    })

  const detach: SessionStreams["detach"] = (sessionId) =>
    Effect.suspend(() => {
      opening.delete(sessionId)
      return FiberMap.remove(listeners, sessionId)
    })

  /** Fails the requests of a session. The inbox may be full, and a new listener interrupts the one that runs this. */
  const failAll = (sessionId: string, error: TransportError) => fork(inbox.put(requests.fail(sessionId, error)))

  /**
   * Handles a session's stream that the server has closed. The next message opens it again, and waiting requests are
   * lost.
   */
  const dropped = (sessionId: string) =>
    Effect.sync(() => {
      opening.delete(sessionId)
      failAll(sessionId, new TransportError({ reason: "Closed", message: "The stream of the session was closed" }))
    })

  const conflicted: SessionStreams["conflicted"] = (sessionId, error) =>
    Effect.sync(() => {
      conflicts.set(sessionId, error)
      failAll(sessionId, error)
      // The listener may be who runs this.
      fork(detach(sessionId))
    })

  const leave: SessionStreams["leave"] = Effect.suspend(() => {
    conflicts.clear()
    const sessions = [...opening.keys()]
    return Effect.andThen(FiberMap.clear(listeners), Effect.forEach(sessions, dropped, { discard: true }))
  })

  const streams: SessionStreams = {
    leave,
    start: Effect.suspend(() =>
      Effect.asVoid(FiberMap.run(listeners, undefined, listen(undefined, Deferred.makeUnsafe())))
    ),
    attend,
    isAttended: (sessionId) => opening.has(sessionId),
    detach,
    conflicted,
    reconcile: (sessionId) => void conflicts.delete(sessionId),
    end
  }
  const deliver = deliverOf(streams)
  return streams
})

const reattaching: ReadonlySet<string> = new Set(["session/load", "session/resume"])
const detaching: ReadonlySet<string> = new Set(["session/close", "session/delete", "session/archive"])

/** Whether a request attaches the client to an existing session, which ends a conflict. */
export const reattaches = (method: string): boolean => reattaching.has(method)

/** Whether the response to a request ends its session for this client. */
export const detaches = (method: string): boolean => detaching.has(method)
