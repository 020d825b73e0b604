/** The page's WebSocket to the server. */
import * as Effect from "effect/Effect"
import * as Socket from "effect/socket/Socket"
import type { Transport } from "./Transport.ts"

/** `onHeard` is called for everything that the server sends, its answers to pings included. */
export const make = ({ connect, patience }: Transport, onHeard: () => void): Effect.Effect<Socket.Socket> =>
  Socket.fromWebSocket(
    Effect.acquireRelease(
      Effect.sync(() => {
        const webSocket = connect()
        webSocket.addEventListener("message", onHeard)
        return webSocket
      }),
      (webSocket) => Effect.sync(() => webSocket.close(1000))
    ),
    { openTimeout: patience }
  )
