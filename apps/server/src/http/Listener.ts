/** The socket that the server listens on: of this machine only, and gone with all its connections when the server ends. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as HttpServer from "effect/http/HttpServer"
import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import type { LoopbackAddress } from "./Door.ts"

/** A prompt may carry pictures. */
export const maxMessageBytes = 32 * 1024 * 1024

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
  /** 0: any free one. */
  readonly port: number
  /** Take the next free port where this one is taken. */
  readonly orNext: boolean
}

export interface Listening {
  readonly server: HttpServer.HttpServer["Service"]
  readonly port: number
}

/** Listens until the scope closes. */
export const listen = Effect.fn("Listener.listen")(function* (options: ListenOptions) {
  const last = options.orNext ? options.port + attempts - 1 : options.port
  for (let port = options.port; port < last; port++) {
    const listening = yield* open(options.address, port).pipe(
      Effect.catchIf(
        (error) => error.code === "EADDRINUSE",
        () => Effect.undefined
      )
    )
    if (listening !== undefined) return listening
  }
  return yield* open(options.address, last)
})

const open = Effect.fnUntraced(function* (address: LoopbackAddress, port: number) {
  const http = createServer()
  const server = yield* NodeHttpServer.make(() => http, {
    host: address,
    port,
    // An open WebSocket would otherwise hold the end back for 20 seconds.
    gracefulShutdownTimeout: "250 millis",
    websocket: { maxPayload: maxMessageBytes, perMessageDeflate: false }
  }).pipe(Effect.mapError(({ cause }) => new ListenFailed({ address, port, code: codeOf(cause) })))
  yield* endConnections(http)
  const bound = http.address()
  return { server, port: typeof bound === "object" && bound !== null ? bound.port : port } satisfies Listening
})

/** Node waits for every connection before a server counts as closed; a client that never answers must not hold us up. */
const endConnections = (http: Server) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const sockets = new Set<Socket>()
      http.on("connection", (socket) => {
        sockets.add(socket)
        socket.once("close", () => sockets.delete(socket))
      })
      return sockets
    }),
    (sockets) => Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
  )

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : String(cause)
