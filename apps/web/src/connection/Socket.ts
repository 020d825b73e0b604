/** The page's WebSocket to the server. */
import * as Effect from "effect/Effect"
import * as Socket from "effect/socket/Socket"

/** `onHeard` is called for everything that the server sends, its answers to pings included. */
export const make = (url: string, onHeard: () => void): Effect.Effect<Socket.Socket> =>
  Socket.makeWebSocket(url, { openTimeout: "8 seconds" }).pipe(
    Effect.provideService(Socket.WebSocketConstructor, (address) => {
      const webSocket = new WebSocket(address)
      webSocket.addEventListener("message", onHeard)
      return webSocket
    })
  )
