/** The socket that the server listens on: of this machine only, and gone with all its connections when the server ends. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { codeOf, messageOf } from "@signalbox/system/SystemError"
import type { LoopbackAddress } from "./RequestGuard.ts"

// An import would read each export of the module. One of them loads undici, a sixth of a start of the command line.
const { createServer } = process.getBuiltinModule("node:http")

/** A prompt may carry pictures. */
export const maxMessageBytes = 32 * 1024 * 1024

const lastPort = 65_535

/** Ports to try when nobody asked for a certain one. */
const attempts = 20

/** The server could not listen. `code` is the operating system's, e.g. `EADDRINUSE`. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  address: Schema.String,
  port: Schema.Int,
  code: Schema.String
}) {
  override get message(): string {
    return `Could not listen on ${this.address}:${this.port} (${this.code}).`
  }
}

export interface ListenOptions {
  readonly address: LoopbackAddress
  /** The port to listen on; 0 takes any free port. */
  readonly port: number
  /** Take the next free port where this one is taken. */
  readonly orNext: boolean
  /** How long a whole request may take to arrive, its body too; 0 is without limit. Default: 5 minutes. */
  readonly requestTimeout?: number | undefined
}

export interface Listening {
  /** Answers requests until the scope closes; the first thing to happen then is that all connections end. */
  readonly serve: <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => Effect.Effect<void, never, Exclude<R, HttpServerRequest.HttpServerRequest> | Scope.Scope>
  readonly port: number
}

/** Listens until the scope closes. */
export const listen = Effect.fn("Listener.listen")(function* (options: ListenOptions) {
  const last = options.orNext ? Math.max(options.port, Math.min(options.port + attempts - 1, lastPort)) : options.port
  for (let port = options.port; port < last; port++) {
    const listening = yield* open(options, port).pipe(
      Effect.catchIf(
        (error) => error.code === "EADDRINUSE",
        () => Effect.undefined
      )
    )
    if (listening !== undefined) return listening
  }
  return yield* open(options, last)
})

/** The head of a request has to arrive in this time, in milliseconds, whatever its body may take. */
const headersTimeout = 60_000

const open = Effect.fnUntraced(function* (
  { address, requestTimeout = 300_000 }: Pick<ListenOptions, "address" | "requestTimeout">,
  port: number
) {
  // Node throws for such a port.
  if (port < 0 || port > lastPort) return yield* new ListenFailed({ address, port, code: "ERR_SOCKET_BAD_PORT" })
  const http = createServer({ requestTimeout, headersTimeout })
  const sockets = openSockets(http)
  // Node would answer such a request by itself, before the request guard has seen it.
  http.on("checkExpectation", (request, response) => void http.emit("request", request, response))
  const server = yield* NodeHttpServer.make(() => http, {
    host: address,
    port,
    // An open WebSocket would otherwise hold the end back for 20 seconds.
    gracefulShutdownTimeout: "250 millis",
    // Untracked: the end of the WebSocket server, which comes even before that of `serve`, would wait for every client to go.
    websocket: { maxPayload: maxMessageBytes, perMessageDeflate: false, clientTracking: false }
  }).pipe(Effect.mapError(({ cause }) => new ListenFailed({ address, port, code: codeOf(cause) ?? messageOf(cause) })))
  const bound = http.address()
  return {
    // Node waits for every client to go before a server counts as closed, and finalizers can't be timed out: so the
    // connections end first, whatever the clients do.
    serve: (app) =>
      Effect.andThen(
        server.serve(app),
        Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
      ),
    port: typeof bound === "object" && bound !== null ? bound.port : port
  } satisfies Listening
})

const openSockets = (http: Server): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>()
  http.on("connection", (socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  return sockets
}
