/**
 * The bridge's address on this machine: each server over ACP as one of MCP over HTTP, in classic revisions and in 2026-07-28. It ends with its
 * connection. Nobody is let in without the server's token.
 */
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import type { McpCaller } from "@signalbox/acp/McpCaller"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type * as RawMessage from "@signalbox/acp/RawMessage"
import * as Listener from "@signalbox/loopback/Listener"
import * as RequestGuard from "@signalbox/loopback/RequestGuard"
import * as RequestHead from "@signalbox/loopback/RequestHead"
import { securityHeaders } from "@signalbox/loopback/SecurityHeaders"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Backend } from "./Backend.ts"
import type { Server } from "./ClassicSession.ts"
import * as HttpReply from "./HttpReply.ts"
import * as Posted from "./Posted.ts"
import * as ServedServer from "./ServedServer.ts"
import * as ServerRoute from "./ServerRoute.ts"
import * as StatelessRequests from "./StatelessRequests.ts"
import * as StdioRelay from "./StdioRelay.ts"
import * as Translation from "./Translation.ts"
import * as Wire from "./Wire.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, never, Scope.Scope>

/** What a client needs to reach a server. */
export interface Address {
  readonly url: string
  readonly token: string
}

export interface Endpoint {
  /** Serves a server until the scope of the endpoint closes. The same server keeps its address. */
  readonly serve: (server: Server) => Address
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "DELETE"])

/** Headers that decide who a request is for. A second value could hide behind the first. */
const singleHeaders = ["authorization", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"]

const sessionHeader = "mcp-session-id"

const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpReply.json(status, Wire.problem(ErrorCode.InvalidRequest, message), headers)

/** Whoever is not let in holds no connection: the rest of a body may never come. */
const closing = { connection: "close" }

const tooMany = HttpReply.json(
  429,
  Wire.problem(McpOverAcp.ErrorCode.LimitReached, "Too many requests are under way"),
  closing
)

const accepted = HttpServerResponse.empty({ status: 202 })

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? ""

const brokenDown = (id: string): HttpReply.Answer => ({ status: 500, line: Wire.answer(id, Translation.brokenDown) })

/** Runs a request of JSON-RPC, and answers whatever happens. */
const replyTo = (
  id: string,
  run: (say: Wire.Say) => Effect.Effect<McpOverAcp.Outcome>,
  statusOf: (outcome: McpOverAcp.Outcome) => number,
  headersOf?: () => Readonly<Record<string, string>>
): Answered =>
  HttpReply.make(
    (say) =>
      Effect.suspend(() => run((said) => say(Wire.said(said)))).pipe(
        Effect.map((outcome) => ({ status: statusOf(outcome), line: Wire.answer(id, outcome) })),
        Effect.catchDefect(() => Effect.succeed(brokenDown(id)))
      ),
    {
      status: 429,
      line: Wire.answer(
        id,
        Translation.failed({
          code: McpOverAcp.ErrorCode.LimitReached,
          message: "The client does not read what the server says"
        })
      )
    },
    headersOf
  )

const succeeded = () => 200

/** The session that a request of classic MCP names, or why there is none. */
const sessionOf = (server: ServedServer.ServedServer, request: Request) => {
  const id = request.headers[sessionHeader]
  if (id === undefined) return Result.fail(refuse(400, "The header Mcp-Session-Id is missing"))
  const session = server.session(id)
  return session === undefined ? Result.fail(refuse(404, "There is no such session")) : Result.succeed({ id, session })
}

const classicRequest = Effect.fnUntraced(function* (
  server: ServedServer.ServedServer,
  request: Request,
  { id, method, params }: RawMessage.RawRequest
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, never, Scope.Scope> {
  const inner = Wire.paramsOf(params)
  if (method === "initialize") {
    const begun = yield* server.begin
    let isOpen = false
    return yield* replyTo(
      id,
      (say) =>
        Effect.onInterrupt(
          server.session(begun)?.request(id, method, inner, say) ?? Effect.succeed(Translation.brokenDown),
          // Nobody will know its id.
          () => Effect.sync(() => server.end(begun))
        ),
      (outcome) => {
        isOpen = "result" in outcome
        if (!isOpen) server.end(begun)
        return 200
      },
      () => (isOpen ? { [sessionHeader]: begun } : {})
    )
  }
  const found = sessionOf(server, request)
  if (Result.isFailure(found)) return found.failure
  return yield* replyTo(id, (say) => found.success.session.request(id, method, inner, say), succeeded)
})

const post = Effect.fnUntraced(function* (
  server: ServedServer.ServedServer,
  request: Request,
  caller: McpCaller
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, never, Scope.Scope> {
  const refused = Posted.refusal(request.headers)
  if (refused !== undefined) return refused
  const read = yield* Effect.scoped(
    Effect.flatMap(server.admitBody, (isAdmitted) =>
      isAdmitted ? Posted.read(request) : Effect.succeed(Result.fail(tooMany))
    )
  )
  if (Result.isFailure(read)) return read.failure
  const message = read.success
  // What cancels or answers has to come through, however many wait for it.
  if (message._tag === "Request" && !(yield* server.admit)) return tooMany
  const revision = request.headers["mcp-protocol-version"]
  if (message._tag === "Request") {
    const { id, method } = message
    const params = Wire.paramsOf(message.params)
    if (revision === McpOverAcp.revision || StatelessRequests.revisionIn(params) !== undefined) {
      const wrong = StatelessRequests.refusal(request.headers, method, params)
      if (wrong === undefined)
        return yield* replyTo(
          id,
          (say) => StatelessRequests.request(caller, server.serverId, id, method, params, say),
          StatelessRequests.statusOf
        )
      const outcome = Translation.failed(wrong)
      return HttpReply.json(StatelessRequests.statusOf(outcome), Wire.answer(id, outcome))
    }
  }
  if (revision !== undefined && !Translation.classicRevisions.includes(revision))
    return refuse(
      400,
      `MCP-Protocol-Version is none of ${[McpOverAcp.revision, ...Translation.classicRevisions].join(", ")}`
    )
  if (message._tag === "Request") return yield* classicRequest(server, request, message)
  const found = sessionOf(server, request)
  if (Result.isFailure(found)) return found.failure
  const { session } = found.success
  if (message._tag === "Notification") session.notified(message.method, Wire.paramsOf(message.params))
  if (message._tag === "Response") session.answered(message.id, message.answer)
  return accepted
})

const respond = (server: ServedServer.ServedServer, request: Request, backend: Backend): Answered => {
  const twice = singleHeaders.find((name) => RequestHead.valuesOf(request, name).length > 1)
  if (twice !== undefined)
    return Effect.succeed(
      HttpReply.json(
        400,
        Wire.problem(McpOverAcp.McpErrorCode.HeaderMismatch, `The header ${twice} stands there twice`)
      )
    )
  if (request.method === "POST") {
    if (request.headers["content-type"] !== StdioRelay.contentType) return post(server, request, backend.caller)
    return Effect.map(StdioRelay.make(request.stream, backend, server), (lines) =>
      HttpServerResponse.stream(lines, { contentType: StdioRelay.contentType })
    )
  }
  if (request.method === "HEAD")
    return Effect.succeed(refuse(405, "HEAD is not answered", { allow: "GET, POST, DELETE" }))
  const found = sessionOf(server, request)
  if (Result.isFailure(found)) return Effect.succeed(found.failure)
  if (request.method === "GET") {
    const { session } = found.success
    const refused = Posted.streamRefusal(request.headers["accept"])
    return refused === undefined ? Effect.as(session.hearing, HttpReply.said(session)) : Effect.succeed(refused)
  }
  server.end(found.success.id)
  return Effect.succeed(HttpServerResponse.empty({ status: 204 }))
}

/** Listens at a free port of this machine until the scope closes. */
export const start = Effect.fnUntraced(function* (
  backend: Backend
): Effect.fn.Return<Endpoint, Listener.ListenFailed, Scope.Scope> {
  /** Each server by its path. */
  const servers = new Map<string, ServedServer.ServedServer>()
  const address = "127.0.0.1"
  // A program's lines are one request, which lasts as long as the program.
  const { port, serve } = yield* Listener.listen({ address, port: 0, orNext: false, requestTimeout: 0 })
  const names = RequestGuard.namesOf(address, port)

  const handle = (request: Request): Answered => {
    const authorization = request.headers["authorization"]
    const server = servers.get(pathOf(request.url))
    // A missing token has a status of its own below. So the guard takes it for granted.
    const refused = RequestGuard.refusal(names, RequestHead.of(request, true), methods)
    if (refused !== undefined) return Effect.succeed(refuse(refused.status, refused.text, closing))
    if (server === undefined) return Effect.succeed(refuse(404, "There is no MCP server at this path", closing))
    if (!server.keys.isBearer(authorization))
      return Effect.succeed(refuse(401, "The token is missing or wrong", { "www-authenticate": "Bearer", ...closing }))
    return respond(server, request, backend)
  }
  yield* serve(
    HttpServerRequest.HttpServerRequest.use((request) =>
      // Requests run uninterruptibly unless they say otherwise: then neither a client that leaves nor the end would stop them.
      Effect.map(
        Effect.interruptible(handle(request)),
        HttpServerResponse.setHeaders(securityHeaders(`${address}:${port}`))
      )
    )
  )

  return {
    serve: (declared) => {
      const path = ServerRoute.pathOf(declared.serverId)
      const server = servers.get(path) ?? ServedServer.make(declared, backend.begin)
      servers.set(path, server)
      return { url: `${names.url}${path}`, token: server.keys.token }
    }
  }
})
