/** An agent behind a WebSocket: one text frame per message, either way (ACP, streamable HTTP and WebSocket transport). */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Deferred from "effect/Deferred"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Socket from "effect/socket/Socket"
import * as Stream from "effect/Stream"
import * as LineSplitter from "./LineSplitter.ts"
import { type RemoteTransport, type Transport, TransportError } from "./Transport.ts"
import * as Envelope from "./internal/transport/Envelope.ts"

export interface Options {
  /** `ws:` or `wss:`. */
  readonly url: string
  /** Sent with the handshake, which only constructors outside of browsers can do. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Time that the handshake may take. */
const openWithin = "30 seconds"

/** Characters of unread input beyond which the other side must wait, if the WebSocket supports it. */
const highWaterMark = 1024 * 1024

/** Connects, and closes with the scope. The first message must be `initialize`. */
export const make = Effect.fn("WebSocketTransport.make")(function* ({
  headers,
  url
}: Options): Effect.fn.Return<RemoteTransport, TransportError, Socket.WebSocketConstructor | Scope.Scope> {
  const open = yield* Socket.WebSocketConstructor
  let connectionId: string | undefined
  const connect = Effect.try({
    try: () => {
      const webSocket = open(url, headers && { headers })
      if (tellsHeaders(webSocket)) {
        webSocket.once("upgrade", ({ headers: told }) => {
          const id = told["acp-connection-id"]
          if (typeof id === "string") connectionId = id
        })
      }
      return webSocket
    },
    catch: (error) => new TransportError({ reason: "Unreachable", message: messageOf(error) ?? String(error) })
  })
  return { ...(yield* fromWebSocket(connect)), connectionId: () => connectionId }
})

/** Time that the other side has to close, too. */
const closeWithin = "2 seconds"

/** Node's `ws` exposes the headers of the handshake's response. Browsers don't. */
interface TellsHeaders {
  once(event: "upgrade", listener: (response: { readonly headers: Record<string, unknown> }) => void): void
}

const tellsHeaders = (webSocket: object): webSocket is TellsHeaders =>
  "once" in webSocket && typeof webSocket.once === "function"

/** Node's `ws` can pause reading and close immediately. Others accept all input. */
interface Controllable {
  pause(): void
  resume(): void
  terminate(): void
}

const isControllable = (webSocket: object): webSocket is Controllable =>
  "pause" in webSocket && "terminate" in webSocket && typeof webSocket.terminate === "function"

/**
 * A WebSocket as a transport, for a client, or for a server that has accepted it. The scope closes it, so last messages
 * are still sent while a connection ends.
 */
export const fromWebSocket = Effect.fnUntraced(function* <E, R>(
  acquire: Effect.Effect<Socket.WebSocketLike, E, R>
): Effect.fn.Return<Transport<TransportError>, E | TransportError, R | Scope.Scope> {
  const opened = Deferred.makeUnsafe<void, TransportError>()
  const over = Deferred.makeUnsafe<void>()
  const frames = yield* Queue.unbounded<string, TransportError | Cause.Done>()
  let waiting = 0

  const webSocket = yield* Effect.acquireRelease(acquire, (each) =>
    Effect.sync(() => {
      each.close(1000)
      // Input that is no longer read must not block the other side's close frame.
      if (isControllable(each) && waiting >= highWaterMark) each.resume()
    }).pipe(
      Effect.andThen(Effect.timeoutOption(Deferred.await(over), closeWithin)),
      Effect.andThen(Effect.sync(() => isControllable(each) && each.terminate()))
    )
  )
  const control = isControllable(webSocket) ? webSocket : undefined
  const fail = (error: TransportError) => {
    Deferred.doneUnsafe(opened, Exit.fail(error))
    Queue.failCauseUnsafe(frames, Cause.fail(error))
  }
  webSocket.addEventListener("open", () => Deferred.doneUnsafe(opened, Exit.void))
  webSocket.addEventListener("message", ({ data }) => {
    // Binary frames are not a part of the protocol.
    if (typeof data !== "string") return
    Queue.offerUnsafe(frames, Envelope.flat(data))
    waiting += data.length
    if (waiting >= highWaterMark) control?.pause()
  })
  webSocket.addEventListener("error", (event) => fail(broken(event)))
  webSocket.addEventListener("close", ({ code = abnormal, reason = "" }) => {
    Deferred.doneUnsafe(over, Exit.void)
    if (ordinary.has(code)) Queue.endUnsafe(frames)
    else fail(closed(code, reason))
  })
  if (webSocket.readyState === 1) Deferred.doneUnsafe(opened, Exit.void)
  yield* Deferred.await(opened).pipe(
    Effect.timeoutOrElse({
      duration: openWithin,
      orElse: () =>
        Effect.fail(
          new TransportError({ reason: "Unreachable", message: `The handshake took more than ${openWithin}` })
        )
    })
  )

  const splitter = LineSplitter.make({ maxLineBytes: Infinity })
  return {
    input: Stream.fromQueue(frames).pipe(
      Stream.mapArray((texts) => {
        if (waiting >= highWaterMark) control?.resume()
        waiting = 0
        return texts
      })
    ),
    output: Sink.forEach((chunk: Uint8Array) =>
      Effect.try({
        try: () => splitter.push(chunk).forEach((text) => webSocket.send(text)),
        catch: broken
      })
    )
  }
})

/** Ordinary close codes: normal closure, a server that shuts down, and no code (RFC 6455 §7.4). */
const ordinary: ReadonlySet<number> = new Set([1000, 1001, 1005])

/** The code of a connection that was cut off. */
const abnormal = 1006

const closed = (closeCode: number, reason: string): TransportError =>
  closeCode === abnormal
    ? new TransportError({ reason: "Unreachable", message: "The connection was cut off", closeCode })
    : new TransportError({
        reason: "Closed",
        message: `The agent closed the WebSocket with code ${closeCode}${reason === "" ? "" : `: ${reason}`}`,
        closeCode
      })

/** The error for an error event. A handshake with a status other than 101 is recognised by its text. */
const broken = (error: unknown): TransportError => {
  const message = messageOf(error) ?? "The WebSocket failed"
  const status = Number(/^Unexpected server response: (\d{3})$/.exec(message)?.[1])
  return Number.isNaN(status)
    ? new TransportError({ reason: "Unreachable", message })
    : new TransportError({
        reason: TransportError.reasonOf(status),
        message: `The handshake of the WebSocket was answered with HTTP ${status}`,
        status
      })
}

const messageOf = (error: unknown): string | undefined =>
  Predicate.isObject(error) && typeof error["message"] === "string" && error["message"] !== ""
    ? error["message"]
    : undefined
