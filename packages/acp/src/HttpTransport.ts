/**
 * An agent behind streamable HTTP: messages are posted one after the other. Responses and the agent's own messages come
 * by event streams: one for the connection, and one for each session (ACP, streamable HTTP and WebSocket transport).
 *
 * **Failures.** A session whose stream or message is refused with 409 fails alone, until it is loaded or resumed. 401,
 * 403, 404, 410 and a broken network end the connection. Any refusal of a message that nobody waits for does so, too.
 * Other refusals answer their request, with `data: { status, body }`.
 *
 * **Order.** Streams are not ordered among each other, and a server answers `session/load` by the stream of the
 * connection. That response is held back until the session's stream has delivered everything before it; see
 * `fenceMethod`.
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as LineSplitter from "./LineSplitter.ts"
import type { RemoteTransport } from "./Transport.ts"
import * as Deliveries from "./internal/transport/Deliveries.ts"
import * as Fences from "./internal/transport/Fences.ts"
import * as HttpExchange from "./internal/transport/HttpExchange.ts"
import * as Inbox from "./internal/transport/Inbox.ts"
import * as OpenRequests from "./internal/transport/OpenRequests.ts"
import * as Sending from "./internal/transport/Sending.ts"
import * as SessionStreams from "./internal/transport/SessionStreams.ts"

export type { Options } from "./internal/transport/HttpExchange.ts"
export { fenceMethod } from "./internal/transport/Fences.ts"

/**
 * Connects. Nothing is sent before the first message, which must be `initialize`. The connection ends with the scope.
 */
export const make = Effect.fn("HttpTransport.make")(function* (
  options: HttpExchange.Options
): Effect.fn.Return<RemoteTransport, never, HttpClient.HttpClient | Scope.Scope> {
  const exchange = yield* HttpExchange.make(options)
  const inbox = yield* Inbox.make
  const requests = OpenRequests.make()
  const fences = Fences.make(exchange, inbox)
  const run = yield* FiberSet.makeRuntime()
  const fork = (effect: Effect.Effect<void>) => void run(effect)
  const { maxMessageBytes = LineSplitter.defaultMaxLineBytes } = options
  const streams = yield* SessionStreams.make({ exchange, inbox, requests, fork, maxMessageBytes }, (made) =>
    Deliveries.make({ inbox, requests, fences, streams: made, fork })
  )
  const send = Sending.make({ exchange, inbox, requests, streams })

  const splitter = LineSplitter.make({ maxLineBytes: Infinity })
  return {
    input: inbox.messages,
    // The output never fails: errors end the input.
    output: Sink.forEach((chunk: Uint8Array) => Effect.forEach(splitter.push(chunk), send, { discard: true })),
    connectionId: exchange.connectionId
  }
})
