/** A client of the server that connects like the page. */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { SignalboxRpc, maxFrameBytes } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcSerialization from "effect/rpc/RpcSerialization"

/** Connects a client. It stays connected as long as the scope lives. */
export const connect = ({ token, url }: { readonly url: string; readonly token: string }) =>
  Effect.gen(function* () {
    const headers = { authorization: `Bearer ${token}` }
    const socket = NodeSocket.layerWebSocket(`${url.replace("http", "ws")}/rpc`, { headers })
    const protocol = yield* Layer.build(
      RpcClient.layerProtocolSocket().pipe(
        Layer.provide([socket, RpcSerialization.layerNdjsonWith({ maxBufferSize: maxFrameBytes })])
      )
    )
    return yield* Effect.provideContext(RpcClient.make(SignalboxRpc), protocol)
  })

export type Connection = Effect.Success<ReturnType<typeof connect>>
