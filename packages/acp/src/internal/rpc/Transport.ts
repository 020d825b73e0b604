/** The two byte streams of a connection: what a child process, one's own standard streams, or a test offers. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"

/**
 * `input` is what the other side writes, `output` what it reads. Its end is the end of the connection. Bytes are lines, cut
 * anywhere; a string is one message as a whole, of a transport that knows where messages end.
 */
export interface Transport<E = unknown> {
  readonly input: Stream.Stream<Uint8Array | string, E>
  readonly output: Sink.Sink<void, Uint8Array, unknown, E>
}

/** A connection to an agent that runs elsewhere. */
export interface RemoteTransport extends Transport<TransportError> {
  /** What the server calls this connection (`Acp-Connection-Id`); undefined until it has said so, or if it does not. */
  readonly connectionId: () => string | undefined
}

/**
 * A remote connection that did not come about, or broke.
 *
 * - `Unreachable`: the network, TLS, or nobody listening.
 * - `Unauthorized`: HTTP 401 or 403. Other credentials may help.
 * - `Gone`: HTTP 404 or 410. The server does not know this address, or this connection any more.
 * - `Rejected`: another HTTP status where the connection cannot do without an answer.
 * - `Closed`: the server closed a WebSocket with a code that means no ordinary end.
 * - `Malformed`: what came is not what the transport is defined to carry.
 */
export class TransportError extends Schema.TaggedError<TransportError>()("TransportError", {
  reason: Schema.Literals(["Unreachable", "Unauthorized", "Gone", "Rejected", "Closed", "Malformed"]),
  message: Schema.String,
  /** The HTTP status. */
  status: Schema.optionalKey(Schema.Int),
  /** What the server said about it, at most 8 KiB. */
  body: Schema.optionalKey(Schema.String),
  /** The close code of the WebSocket (RFC 6455 §7.4). */
  closeCode: Schema.optionalKey(Schema.Int)
}) {
  /** What an HTTP status that is no success says about the connection. */
  static reasonOf(status: number): "Unauthorized" | "Gone" | "Rejected" {
    if (status === 401 || status === 403) return "Unauthorized"
    return status === 404 || status === 410 ? "Gone" : "Rejected"
  }

  /** The error that a cause holds, if it is one of these. */
  static of(cause: Cause.Cause<unknown>): TransportError | undefined {
    const error = Cause.squash(cause)
    return error instanceof TransportError ? error : undefined
  }
}

/**
 * Two connected ends in memory. When one end's output is finished, the other end's input ends.
 *
 * @param capacity chunks under way in one direction before a writer has to wait
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
