/** An agent behind a WebSocket: one text frame per message, either way (ACP, streamable HTTP and WebSocket transport). */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Sink from "effect/Sink"
import type * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"
import * as Stream from "effect/Stream"
import * as LineSplitter from "../LineSplitter.ts"
import { type RemoteTransport, type Transport, TransportError } from "../Transport.ts"
import * as Envelope from "./Envelope.ts"

export interface Options {
  /** `ws:` or `wss:`. */
  readonly url: string
  /** Sent with the handshake, which only constructors of servers can do. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Connects, and closes when the scope does. The first message has to be `initialize`. */
export const make = Effect.fn("WebSocketTransport.make")(function* (
  options: Options
): Effect.fn.Return<RemoteTransport, TransportError, Socket.WebSocketConstructor | Scope.Scope> {
  const open = yield* Socket.WebSocketConstructor
  let connectionId: string | undefined
  const socket = yield* Socket.makeWebSocket(options.url, { headers: options.headers }).pipe(
    Effect.provideService(Socket.WebSocketConstructor, (url, given) => {
      const webSocket = open(url, given)
      if (tellsHeaders(webSocket)) {
        webSocket.once("upgrade", ({ headers }) => {
          const id = headers["acp-connection-id"]
          if (typeof id === "string") connectionId = id
        })
      }
      return webSocket
    })
  )
  return { ...(yield* fromSocket(socket)), connectionId: () => connectionId }
})

/** The headers of the handshake's answer are shown by Node's `ws`, and by no browser. */
interface TellsHeaders {
  once(event: "upgrade", listener: (response: { readonly headers: Record<string, unknown> }) => void): void
}

const tellsHeaders = (webSocket: object): webSocket is TellsHeaders =>
  "once" in webSocket && typeof webSocket.once === "function"

/**
 * A socket as a transport, of a client or of a server that has accepted it. It is opened here, so that what is said last
 * still gets out while the connection is being closed; the scope closes it.
 */
export const fromSocket = Effect.fnUntraced(function* (
  socket: Socket.Socket
): Effect.fn.Return<Transport<TransportError>, TransportError, Scope.Scope> {
  const { pull } = yield* Effect.mapError(socket.reader, failed)
  const writer = yield* socket.writer
  const frames = Effect.mapError(pull, (error) => (isOrdinary(error) ? Cause.Done() : failed(error)))
  const next: Effect.Effect<readonly [Uint8Array], TransportError | Cause.Done> = Effect.flatMap(frames, (batch) => {
    // Binary frames carry nothing of the protocol.
    const texts = batch.filter((frame) => typeof frame === "string")
    return texts.length === 0 ? next : Effect.succeed([Envelope.lines(texts)])
  })
  const splitter = LineSplitter.make({ maxLineBytes: Infinity })
  return {
    input: Stream.fromPull(Effect.succeed(next)),
    output: Sink.forEach((chunk: Uint8Array) => {
      const [first, ...rest] = splitter.push(chunk)
      return first === undefined ? Effect.void : Effect.mapError(writer.writeAll([first, ...rest]), failed)
    })
  }
})

/** Normal closure, and a server that goes away in good order. */
const isOrdinary = ({ reason }: Socket.SocketError): boolean =>
  reason._tag === "SocketCloseError" && (reason.code === 1000 || reason.code === 1001 || reason.code === 1005)

const failed = ({ reason }: Socket.SocketError): TransportError => {
  if (reason._tag === "SocketCloseError") {
    const said = reason.closeReason === undefined || reason.closeReason === "" ? "" : `: ${reason.closeReason}`
    return reason.code === 1006
      ? new TransportError({ reason: "Unreachable", message: "The connection was cut off", closeCode: reason.code })
      : new TransportError({
          reason: "Closed",
          message: `The agent closed the WebSocket with code ${reason.code}${said}`,
          closeCode: reason.code
        })
  }
  const cause = "cause" in reason ? messageOf(reason.cause) : undefined
  const status = cause === undefined ? undefined : /^Unexpected server response: (\d{3})$/.exec(cause)?.[1]
  if (status !== undefined) return refused(Number(status))
  return new TransportError({ reason: "Unreachable", message: cause ?? reason.message })
}

/** A handshake that was answered with another status than 101. */
const refused = (status: number): TransportError =>
  new TransportError({
    reason: TransportError.reasonOf(status),
    message: `The handshake of the WebSocket was answered with HTTP ${status}`,
    status
  })

/** Errors of WebSockets are events that hold a message. */
const messageOf = (cause: unknown): string | undefined =>
  Predicate.isObject(cause) && typeof cause["message"] === "string" && cause["message"] !== ""
    ? cause["message"]
    : undefined
