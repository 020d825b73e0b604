/**
 * The server's one port: the page, the exchange of the link's token for a cookie, and the WebSocket. Every request
 * passes the request guard first, and every response has the security headers.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as MetricsPage from "../telemetry/MetricsPage.ts"
import * as RequestGuard from "@signalbox/loopback/RequestGuard"
import * as RequestHead from "@signalbox/loopback/RequestHead"
import type { Client } from "@signalbox/loopback/Clients"
import * as Keys from "@signalbox/loopback/Keys"
import * as Listener from "@signalbox/loopback/Listener"
import * as Admission from "./Admission.ts"
import { empty, text } from "./Answers.ts"
import { ClientRegistry } from "./ClientRegistry.ts"
import * as Page from "./Page.ts"
import * as RpcClients from "./RpcClients.ts"
import * as ScopeChecked from "./ScopeChecked.ts"
import { securityHeaders } from "@signalbox/loopback/SecurityHeaders"

export interface Options {
  readonly address: RequestGuard.LoopbackAddress
  readonly port: number
  /** Whether to use the next free port if this one is taken. */
  readonly orNext: boolean
  /** Folder of the built page. */
  readonly webRoot: string
}

/** The server while it listens. */
export class HttpApp extends Context.Service<
  HttpApp,
  {
    readonly port: number
    /** `http://127.0.0.1:4177` */
    readonly url: string
    /**
     * The token that lets its holder in. The person who started the server sees it. It is kept in a file that only this
     * person can read.
     */
    readonly token: string
    /** How many clients are connected: pages and programs. */
    readonly connected: SubscriptionRef.SubscriptionRef<number>
  }
>()("@signalbox/server/http/HttpApp") {}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const measured = (body: string): Response =>
  HttpServerResponse.text(body, { contentType: MetricsPage.contentType, headers: { "cache-control": "no-store" } })

/** The server is complete before it listens: an upgrade request that comes too early would never be answered. */
export const layer = (options: Options) =>
  Layer.effect(
    HttpApp,
    Effect.gen(function* () {
      const rpc = yield* RpcServer.toHttpEffectWebsocket(SignalboxRpc, {
        disableFatalDefects: true,
        disableTracing: true
      }).pipe(Effect.provide(ScopeChecked.layer))
      const registry = yield* ClientRegistry
      const { clients, connections } = registry
      const metrics = yield* MetricsPage.MetricsPage
      const page = yield* Page.load(options.webRoot)
      const keys = Keys.make()
      const connected = yield* SubscriptionRef.make(0)
      const counted = <A, E, R>(connection: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          SubscriptionRef.update(connected, (count) => count + 1),
          () => connection,
          () => SubscriptionRef.update(connected, (count) => count - 1)
        )
      const { port, serve } = yield* Listener.listen(options)
      const names = RequestGuard.namesOf(options.address, port)
      const session = Admission.exchange(keys, registry)
      const callerOf = Admission.callerOf(keys, clients)

      const route = (
        request: Request
      ): Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest | Scope.Scope> => {
        const path = pathOf(request.url)
        if (request.method === "POST") return path === "/session" ? session(request) : Effect.succeed(wrongMethod)
        const caller = callerOf(request)
        const asClient = <A, E, R>(client: Client | undefined, connection: Effect.Effect<A, E, R>) => {
          const headers = RpcClients.mark(request.headers, client)
          return Effect.provideService(connection, HttpServerRequest.HttpServerRequest, request.modify({ headers }))
        }
        switch (path) {
          case "/health":
            return Effect.succeed(text(200, "ok"))
          case "/session":
            return Effect.succeed(caller === undefined ? Admission.notLetIn : empty(204))
          case "/rpc":
            if (caller === undefined) return Effect.succeed(Admission.notLetIn)
            if (!isWebSocket(request)) return Effect.succeed(notWebSocket)
            if (caller !== "server") connections.add(NodeHttpServerRequest.toIncomingMessage(request).socket, caller)
            return counted(asClient(caller === "server" ? undefined : caller, rpc))
          case "/metrics":
            // Every scope includes to see the numbers.
            return caller === undefined ? Effect.succeed(Admission.notLetIn) : Effect.map(metrics.text, measured)
          default:
            return Effect.succeed(page.respond(path, request.headers["if-none-match"]))
        }
      }

      yield* serve(
        HttpServerRequest.HttpServerRequest.use((request) => {
          const refused = RequestGuard.refusal(
            names,
            RequestHead.of(request, Admission.hasToken(keys, clients, request))
          )
          const answer = refused === undefined ? route(request) : Effect.succeed(text(refused.status, refused.text))
          const host = refused?.status === 421 ? "" : (request.headers["host"] ?? "")
          return Effect.map(answer, HttpServerResponse.setHeaders(securityHeaders(host)))
        })
      )
      return HttpApp.of({ port, url: names.url, token: keys.token, connected })
    })
  ).pipe(Layer.provide(Layer.succeed(RpcSerialization.RpcSerialization, serialization)))

const serialization = RpcSerialization.makeNdjson({ maxBufferSize: Listener.maxMessageBytes })

const wrongMethod = HttpServerResponse.setHeader(
  text(405, "Nothing at this address takes a POST."),
  "allow",
  "GET, HEAD"
)
const notWebSocket = HttpServerResponse.setHeader(
  text(426, "This address speaks WebSocket only."),
  "upgrade",
  "websocket"
)

const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

const isWebSocket = (request: Request): boolean =>
  request.headers["upgrade"]?.toLowerCase() === "websocket" && RequestHead.asksForUpgrade(request)
