/** A client of the server that connects like the page. */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as Client from "@signalbox/client/Client"
import * as Effect from "effect/Effect"
import * as Socket from "effect/socket/Socket"

export type Connection = Client.Client

/** Connects a client. It stays connected as long as the scope lives. */
export const connect = Effect.fnUntraced(function* ({ token, url }: { readonly url: string; readonly token: string }) {
  const socket = yield* Socket.makeWebSocket(Client.addressOf(url), {
    headers: { authorization: `Bearer ${token}` }
  }).pipe(Effect.provide(NodeSocket.layerWebSocketConstructor))
  const { client } = yield* Client.open(socket)
  return client
})
