/** Messages on their way to the client, from all streams of a connection, and the end of the connection. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { TransportError } from "../rpc/Transport.ts"

export interface Inbox {
  /** Passes messages on. Waits while the client does not read. */
  readonly put: (messages: ReadonlyArray<string>) => Effect.Effect<void>
  /** Ends the connection for the client, with an error or in order. Only the first end counts. */
  readonly end: (error: TransportError | undefined) => Effect.Effect<void>
  readonly isOver: () => boolean
  readonly messages: Stream.Stream<string, TransportError>
}

/** Most received messages before the streams must wait. */
export const capacity = 1024

export const make = Effect.map(Queue.bounded<string, TransportError | Cause.Done>(capacity), (queue): Inbox => {
  let over = false
  return {
    put: (messages) => (messages.length === 0 ? Effect.void : Effect.asVoid(Queue.offerAll(queue, messages))),
    end: (error) =>
      Effect.suspend(() => {
        if (over) return Effect.void
        over = true
        return Effect.asVoid(error === undefined ? Queue.end(queue) : Queue.fail(queue, error))
      }),
    isOver: () => over,
    messages: Stream.fromQueue(queue)
  }
})
