/**
 * The server's one port: the page, the exchange of the link's token for a cookie, and the WebSocket. Every request
 * passes the request guard first, and every response has the security headers.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as ByteSize from "effect/ByteSize"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as MetricsPage from "../telemetry/MetricsPage.ts"
import * as Browsers from "@signalbox/loopback/Browsers"
import * as Connections from "@signalbox/loopback/Connections"
import * as RequestGuard from "@signalbox/loopback/RequestGuard"
import * as RequestHead from "@signalbox/loopback/RequestHead"
import * as Keys from "@signalbox/loopback/Keys"
import * as Listener from "@signalbox/loopback/Listener"
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
  /** The file that keeps the browsers that were let in. */
  readonly browsersFile: string
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
  }
>()("@signalbox/server/http/HttpApp") {}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * The delay of the answer to a wrong token. The number of delayed answers at a time is limited. A correct token never
 * waits.
 */
const wrongTokenDelay = "500 millis"
const wrongTokensAtOnce = 8

/** The longest time that browsers keep a cookie. Its entry on the server expires earlier, unless the browser comes back. */
const cookieAge = "400 days"

const maxExchangeBytes = ByteSize.bytes(4096)

const TokenExchange = Schema.fromJsonString(Schema.Struct({ token: Schema.String }))
const decodeExchange = Schema.decodeUnknownOption(TokenExchange)

const text = (status: number, body: string): Response =>
  HttpServerResponse.text(`${body}\n`, { status, headers: { "cache-control": "no-store" } })

const empty = (status: number): Response =>
  HttpServerResponse.empty({ status, headers: { "cache-control": "no-store" } })

const measured = (body: string): Response =>
  HttpServerResponse.text(body, { contentType: MetricsPage.contentType, headers: { "cache-control": "no-store" } })

const notLetIn =
  "This needs the link that the server printed when it started: it ends in #token=…. A link from an earlier start lets nobody new in."

/** The server is complete before it listens: an upgrade request that comes too early would never be answered. */
export const layer = (options: Options) =>
  Layer.effect(
    HttpApp,
    Effect.gen(function* () {
      const rpc = yield* RpcServer.toHttpEffectWebsocket(SignalboxRpc, {
        disableFatalDefects: true,
        disableTracing: true
      }).pipe(Effect.provide(ScopeChecked.layer))
      const metrics = yield* MetricsPage.MetricsPage
      const page = yield* Page.load(options.webRoot)
      const keys = Keys.make()
      const runFork = Effect.runForkWith(yield* Effect.context())
      const browsers = Browsers.open(options.browsersFile, (message) => void runFork(Effect.logWarning(message)))
      const connections = yield* Connections.make(browsers)
      const { port, serve } = yield* Listener.listen(options)
      const names = RequestGuard.namesOf(options.address, port)
      const session = exchange(keys, browsers)

      const route = (
        request: Request
      ): Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest | Scope.Scope> => {
        const path = pathOf(request.url)
        if (request.method === "POST") return path === "/session" ? session(request) : Effect.succeed(wrongMethod)
        const cookie = request.cookies[browsers.cookieName]
        const browser = browsers.entryOf(cookie, Date.now())
        const isIn = () => browser !== undefined || keys.isBearer(request.headers["authorization"])
        /** A client with a cookie counts as a page, even if it also sends the token. */
        const asClient = <A, E, R>(request: Request, connection: Effect.Effect<A, E, R>) => {
          const client = RpcClients.clientOf(browser === undefined ? undefined : cookie)
          const headers = RpcClients.mark(request.headers, client)
          return Effect.provideService(connection, HttpServerRequest.HttpServerRequest, request.modify({ headers }))
        }
        switch (path) {
          case "/health":
            return Effect.succeed(text(200, "ok"))
          case "/session":
            return Effect.succeed(isIn() ? empty(204) : text(401, notLetIn))
          case "/rpc":
            if (!isIn()) return Effect.succeed(text(401, notLetIn))
            if (!isWebSocket(request)) return Effect.succeed(notWebSocket)
            connections.add(NodeHttpServerRequest.toIncomingMessage(request).socket, browser)
            return asClient(request, rpc)
          case "/metrics":
            return isIn() ? Effect.map(metrics.text, measured) : Effect.succeed(text(401, notLetIn))
          default:
            return Effect.succeed(page.respond(path, request.headers["if-none-match"]))
        }
      }

      yield* serve(
        HttpServerRequest.HttpServerRequest.use((request) => {
          const refused = RequestGuard.refusal(
            names,
            RequestHead.of(request, keys.isBearer(request.headers["authorization"]))
          )
          const answer = refused === undefined ? route(request) : Effect.succeed(text(refused.status, refused.text))
          const host = refused?.status === 421 ? "" : (request.headers["host"] ?? "")
          return Effect.map(answer, HttpServerResponse.setHeaders(securityHeaders(host)))
        })
      )
      return HttpApp.of({ port, url: names.url, token: keys.token })
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

/** Trades the token for a cookie: `POST /session {"token": …}`. */
const exchange = (keys: Keys.Keys, browsers: Browsers.Browsers) => {
  let wrong = 0
  const refuse = Effect.suspend(() => {
    if (wrong >= wrongTokensAtOnce) return Effect.succeed(text(429, "Too many wrong tokens at once."))
    wrong++
    return Effect.sleep(wrongTokenDelay).pipe(
      Effect.as(text(401, notLetIn)),
      Effect.ensuring(Effect.sync(() => wrong--))
    )
  })
  return Effect.fnUntraced(function* (request: Request) {
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
      return text(415, 'Send {"token": …} as application/json.')
    }
    const body = yield* request.text.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, maxExchangeBytes),
      Effect.option
    )
    const given = Option.flatMap(body, decodeExchange)
    if (Option.isNone(given)) return text(400, 'Send {"token": …} as application/json.')
    if (!keys.isToken(given.value.token)) return yield* refuse
    return HttpServerResponse.setCookieUnsafe(empty(204), browsers.cookieName, browsers.admit(Date.now()), {
      httpOnly: true,
      sameSite: "strict",
      path: "/",
      maxAge: cookieAge
    })
  })
}

const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

const isWebSocket = (request: Request): boolean =>
  request.headers["upgrade"]?.toLowerCase() === "websocket" && RequestHead.asksForUpgrade(request)
