/** The end of a connection: its reason, of which the first counts, and the calls that fail by it. */
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { ConnectionClosed } from "./JsonRpc.ts"
import { messageOf } from "./Outgoing.ts"
import type { PendingCalls } from "./PendingCalls.ts"
import { TransportError } from "./Transport.ts"

export interface ConnectionEnd {
  /** Why no call can be sent any more. Undefined while the connection is open. */
  readonly reason: () => ConnectionClosed | undefined
  /** Whether notifications and answers may still be sent. */
  readonly maySpeak: () => boolean
  /** Sets the reason if there is none, and returns the one that counts. Waiting calls go on. */
  readonly begin: (error: ConnectionClosed) => ConnectionClosed
  /** Fails the waiting calls, too. */
  readonly failCalls: (error: ConnectionClosed) => Effect.Effect<void>
  /** Fails the waiting calls and completes `closed`. */
  readonly finish: (error: ConnectionClosed) => Effect.Effect<void>
  /** Completes with the reason when the connection is over. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

/** @param finishesRequests whether running requests may go on and be answered after the end of the input */
export const make = (calls: Pick<PendingCalls, "failAll">, finishesRequests: boolean): ConnectionEnd => {
  const closed = Deferred.makeUnsafe<ConnectionClosed>()
  let over: ConnectionClosed | undefined

  const begin: ConnectionEnd["begin"] = (error) => {
    over ??= error
    return over
  }

  const failCalls: ConnectionEnd["failCalls"] = (error) => Effect.suspend(() => calls.failAll(begin(error)))

  return {
    reason: () => over,
    maySpeak: () => over === undefined || (finishesRequests && over.reason === "InputEnded"),
    begin,
    failCalls,
    finish: (error) =>
      Effect.andThen(
        failCalls(error),
        Effect.suspend(() => Deferred.succeed(closed, begin(error)))
      ),
    closed: Deferred.await(closed)
  }
}

export const closedHere = () => new ConnectionClosed({ reason: "Closed", message: "Closed by this side" })

export const inputEnded = () =>
  new ConnectionClosed({ reason: "InputEnded", message: "The other side closed the connection" })

/** The reason when the transport failed. */
export const broken = (reason: "ReadFailed" | "WriteFailed", cause: Cause.Cause<unknown>): ConnectionClosed => {
  const transport = TransportError.of(cause)
  return new ConnectionClosed({ reason, message: messageOf(cause), ...(transport && { transport }) })
}
