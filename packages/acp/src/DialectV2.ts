/**
 * Version 2 of the protocol for a client of version 1: a peer that translates both ways. It keeps the order of the
 * wire.
 *
 * Version 2 is a draft. It is used only for agents that are known to support it, by `AcpClient.make(transport,
 * handlers, { dialect })`.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Dialect } from "./Dialect.ts"
import type { Notification } from "./JsonRpc.ts"
import * as JsonRpcPeer from "./JsonRpcPeer.ts"
import type { Transport } from "./Transport.ts"
import * as FromAgent from "./internal/v2/FromAgent.ts"
import * as Sessions from "./internal/v2/Sessions.ts"
import * as ToAgent from "./internal/v2/ToAgent.ts"

const make = Effect.fnUntraced(function* <E, R>(
  transport: Transport<E>,
  handlersOf: (peer: JsonRpcPeer.JsonRpcPeer) => JsonRpcPeer.Handlers<R>,
  options?: JsonRpcPeer.Options
): Effect.fn.Return<JsonRpcPeer.JsonRpcPeer, never, R | Scope.Scope> {
  const services = yield* Effect.context<R>()
  const sessions = Sessions.make()
  const { failAll } = sessions.prompts
  // Handlers are made for a peer, and that peer hands updates to them.
  const made = Deferred.makeUnsafe<JsonRpcPeer.Handlers<R>>()
  const onUpdate = (update: Notification) =>
    Deferred.await(made).pipe(
      Effect.flatMap((handlers) => handlers.onNotifications([update])),
      Effect.provide(services)
    )

  // Runs after the peer has ended, so that waiting calls fail with its reason.
  yield* Effect.addFinalizer(() => Effect.suspend(() => Effect.flatMap(peer.closed, failAll)))
  const peer = yield* JsonRpcPeer.make(
    transport,
    (raw) => {
      const handlers = handlersOf(ToAgent.make(raw, sessions, onUpdate))
      Deferred.doneUnsafe(made, Exit.succeed(handlers))
      return FromAgent.make(handlers, sessions)
    },
    options
  )
  yield* Effect.forkScoped(Effect.flatMap(peer.closed, failAll))
  return ToAgent.make(peer, sessions, onUpdate)
})

export const dialect: Dialect = { version: 2, make }
