/**
 * The two byte streams of a connection, e.g. of a child process, of the process's own standard streams, or of a test.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"

/**
 * `input`: what the other side writes. `output`: what it reads. The end of the input ends the connection. Bytes are
 * lines, cut anywhere. A string is a whole message, from a transport that knows message boundaries.
 */
export interface Transport<E = unknown> {
  readonly input: Stream.Stream<Uint8Array | string, E>
  readonly output: Sink.Sink<void, Uint8Array, unknown, E>
}

/** A connection to a remote agent. */
export interface RemoteTransport extends Transport<TransportError> {
  /** The server's id of this connection (`Acp-Connection-Id`). Undefined until the server has sent one. */
  readonly connectionId: () => string | undefined
}

/**
 * A remote connection that failed to open, or broke.
 *
 * - `Unreachable`: the network, TLS, or nobody listening.
 * - `Unauthorized`: HTTP 401 or 403. Other credentials may help.
 * - `Gone`: HTTP 404 or 410. The server does not know this address, or no longer knows this connection.
 * - `Rejected`: another HTTP status, for a request that the connection needs.
 * - `Closed`: the server closed a WebSocket with a code that means an error.
 * - `Malformed`: the received data is not what the transport may carry.
 */
export class TransportError extends Schema.TaggedError<TransportError>()("TransportError", {
  reason: Schema.Literals(["Unreachable", "Unauthorized", "Gone", "Rejected", "Closed", "Malformed"]),
  message: Schema.String,
  /** The HTTP status. */
  status: Schema.optionalKey(Schema.Int),
  /** The server's explanation, at most 8 KiB. */
  body: Schema.optionalKey(Schema.String),
  /** The close code of the WebSocket (RFC 6455 §7.4). */
  closeCode: Schema.optionalKey(Schema.Int)
}) {
  /** The reason for an HTTP status that is no success. */
  static reasonOf(status: number): "Unauthorized" | "Gone" | "Rejected" {
    if (status === 401 || status === 403) return "Unauthorized"
    return status === 404 || status === 410 ? "Gone" : "Rejected"
  }

  /** The transport error in a cause, if there is one. */
  static of(cause: Cause.Cause<unknown>): TransportError | undefined {
    const error = Cause.squash(cause)
    return error instanceof TransportError ? error : undefined
  }
}

/**
 * Two connected ends in memory. When one end's output is finished, the other end's input ends.
 *
 * @param capacity most chunks in one direction before a writer must wait
 */
export const pair = Effect.fnUntraced(function* (capacity = 16) {
  const there = yield* Queue.bounded<Uint8Array, Cause.Done>(capacity)
  const back = yield* Queue.bounded<Uint8Array, Cause.Done>(capacity)
  const end = (
    from: Queue.Queue<Uint8Array, Cause.Done>,
    to: Queue.Queue<Uint8Array, Cause.Done>
  ): Transport<never> => ({
    input: Stream.fromQueue(from),
    output: Sink.forEach((chunk: Uint8Array) => Queue.offer(to, chunk)).pipe(Sink.ensuring(Queue.end(to)))
  })
  return [end(there, back), end(back, there)] as const
})
