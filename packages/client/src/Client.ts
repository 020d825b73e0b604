/**
 * One connection to the server, and its calls. The caller opens the WebSocket, since browsers and Node do that
 * differently.
 */
import { maxFrameBytes, SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as RpcClient from "effect/rpc/RpcClient"
import { RpcClientError } from "effect/rpc/RpcClientError"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import type * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"

export type Client = RpcClient.FromGroup<typeof SignalboxRpc, RpcClientError>

export interface OpenClient {
  readonly client: Client
  /** Completes when the WebSocket is gone: closed, refused, or silent for longer than two pings. */
  readonly gone: Effect.Effect<void>
}

/** The WebSocket's address on a server whose page is at `url`. */
export const addressOf = (url: string): string => `${url.replace(/^http/, "ws")}/rpc`

/** The protocol over a WebSocket that is opened once. The caller decides about another attempt. */
export const makeProtocol: Effect.Effect<RpcClient.Protocol["Service"], never, Scope.Scope | Socket.Socket> =
  RpcClient.makeProtocolSocket({ retryPolicy: Schedule.recurs(0) }).pipe(
    Effect.provideService(
      RpcSerialization.RpcSerialization,
      RpcSerialization.makeNdjson({ maxBufferSize: maxFrameBytes })
    )
  )

/** Opens the WebSocket. It is closed with the scope. */
export const open = Effect.fnUntraced(function* (socket: Socket.Socket) {
  const gone = yield* Deferred.make<void>()
  const protocol = yield* makeProtocol.pipe(
    Effect.provideService(Socket.Socket, socket),
    Effect.provideService(RpcClient.ConnectionHooks, {
      onConnect: Effect.void,
      onDisconnect: Effect.asVoid(Deferred.succeed(gone, undefined))
    })
  )
  const client = yield* RpcClient.make(SignalboxRpc, { disableTracing: true }).pipe(
    Effect.provideService(RpcClient.Protocol, protocol)
  )
  return { client, gone: Deferred.await(gone) } satisfies OpenClient
})

const isRpcClientError = (error: unknown): error is RpcClientError => error instanceof RpcClientError

/**
 * Returns `instead` for a call whose connection ended. Such calls fail, or are interrupted if the client closes first.
 * A fiber that is itself interrupted ends in both cases.
 */
export const whenLost =
  <B>(instead: B) =>
  <A, E, R>(call: Effect.Effect<A, E | RpcClientError, R>): Effect.Effect<A | B, Exclude<E, RpcClientError>, R> =>
    call.pipe(
      Effect.catchIf(isRpcClientError, () => Effect.succeed(instead)),
      Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.succeed(instead))
    )
