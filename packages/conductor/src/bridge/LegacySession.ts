/** A session of classic MCP with a server that may know the older binding of MCP over ACP only: then everything passes as it is. */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type * as ClassicSession from "./ClassicSession.ts"
import * as ClientRequests from "./ClientRequests.ts"
import type { LegacyBinding, LegacyClient, LegacyConnection } from "./LegacyBinding.ts"
import * as RunningRequests from "./RunningRequests.ts"
import * as Translation from "./Translation.ts"
import * as Wire from "./Wire.ts"

/** Starts work that nobody waits for. It ends with the bridge. */
export type Start = <A>(work: Effect.Effect<A, RpcError>) => Fiber.Fiber<A, RpcError>

/** @param current begins a session with a server that speaks the current binding */
export const make = Effect.fnUntraced(function* (
  binding: LegacyBinding,
  current: ClassicSession.Begin,
  start: Start,
  server: ClassicSession.Server
): Effect.fn.Return<ClassicSession.ClassicSession> {
  const running = RunningRequests.make()
  const translated = yield* current(server)
  const { said } = translated
  const ended = yield* Deferred.make<void>()
  /** Takes the progress of each request, by the token that its client has chosen. */
  const progress = new Map<unknown, Wire.Say>()
  /** How to reach the client while its requests are under way, in their order. */
  const under = new Set<Wire.Say>()
  /** Those who read what is about no request. */
  let hearers = 0
  let capabilities: McpOverAcp.JsonObject = {}
  const asked = ClientRequests.make(() => capabilities)
  let attempt: Fiber.Fiber<LegacyConnection | undefined, RpcError> | undefined
  let open: LegacyConnection | undefined
  let isOver = false

  /** Over the session's stream. */
  const sayToAll: Wire.Say = (one) => void Queue.offerUnsafe(said, Wire.said(one))

  const client: LegacyClient = {
    hear: (notification) => {
      const about = progress.get(notification.params?.["progressToken"])
      ;(about ?? sayToAll)(notification)
    },
    // A server does not say which request its question is about. Somebody who waits for an answer reads for certain.
    ask: (method, params) =>
      Effect.suspend(() => asked.ask(method, params, [...under].at(-1) ?? (hearers > 0 ? sayToAll : undefined)))
  }

  const connect = Effect.tap(binding.connect(server.serverId, client), (connection) => {
    if (isOver) return connection?.disconnect ?? Effect.void
    open = connection
    return Effect.void
  })

  /** Connects at the first request, once. The request may be cancelled meanwhile. */
  const connection = Effect.suspend(() => {
    attempt ??= start(connect)
    return Fiber.join(attempt)
  })

  const relayed = (
    to: LegacyConnection,
    method: string,
    params: McpOverAcp.JsonObject,
    say: Wire.Say
  ): Effect.Effect<McpOverAcp.Outcome, RpcError> =>
    Effect.suspend(() => {
      const token = McpOverAcp.objectOf(params["_meta"])["progressToken"]
      if (token !== undefined) progress.set(token, say)
      under.add(say)
      if (method === "initialize") capabilities = McpOverAcp.objectOf(params["capabilities"])
      return Effect.ensuring(
        Effect.map(to.request(method, params), (result) => ({ result })),
        Effect.sync(() => {
          progress.delete(token)
          under.delete(say)
        })
      )
    })

  return {
    request: (id, method, params, say) =>
      // It can be cancelled while the connection does not stand yet.
      running.run(
        id,
        connection.pipe(
          Effect.flatMap((found) =>
            found === undefined ? translated.request(id, method, params, say) : relayed(found, method, params, say)
          ),
          Effect.catch(failed)
        )
      ),
    notified: (method, params) => {
      translated.notified(method, params)
      running.notified(method, params)
      if (method !== "notifications/cancelled" && open !== undefined) start(open.notify(method, params))
    },
    answered: (id, answer) => translated.answered(id, answer) || asked.answered(id, answer),
    said,
    hearing: Effect.andThen(
      Effect.acquireRelease(
        Effect.sync(() => (hearers += 1)),
        () => Effect.sync(() => (hearers -= 1))
      ),
      translated.hearing
    ),
    end: () => {
      isOver = true
      asked.end()
      translated.end()
      running.cancelAll()
      if (open !== undefined) start(open.disconnect)
      Deferred.doneUnsafe(ended, Exit.void)
    },
    ended: Deferred.await(ended)
  }
})

const failed = (error: RpcError): Effect.Effect<McpOverAcp.Outcome> => Effect.succeed(Translation.failed(error))
