/**
 * MCP servers that a proxy offers to the agent behind it, over its own connection. A bridge before the agent brings them to agents that take
 * MCP servers by HTTP or as programs only.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Neighbour, RequestInterceptor } from "./AcpProxy.ts"
import type { McpServerAcp, MessageMcpRequest, MessageMcpResponse } from "./AcpSchema.ts"
import { ErrorCode, RpcError } from "./JsonRpc.ts"
import * as McpOverAcp from "./McpOverAcp.ts"

/** One request of MCP to a server. */
export interface McpCall {
  readonly serverId: string
  readonly requestId: string
  readonly method: string
  /** With `_meta`, which holds the revision and the capabilities of the client. */
  readonly params: McpOverAcp.JsonObject
  /** Says something about this request while it is under way. Afterwards it does nothing. */
  readonly notify: (method: string, params?: McpOverAcp.JsonObject) => Effect.Effect<void>
}

/** Answers a request with its result. An `RpcError` is an error of MCP, as the agent gets it. Interrupted if the call is cancelled. */
export type McpHandler = (call: McpCall) => Effect.Effect<unknown, RpcError>

export interface McpServer {
  /** How the agent and people name it. */
  readonly name: string
  readonly handler: McpHandler
  /** The requests that may be under way at once. Default: 64. */
  readonly mostActive?: number | undefined
}

/** A server that can be called. */
export interface Registration {
  /** To be put into `mcpServers` of a session. */
  readonly declaration: McpServerAcp & { readonly type: "acp" }
  /** Ends the server: requests under way are cancelled, later ones get -33001. */
  readonly dispose: Effect.Effect<void>
}

export interface McpProvider {
  /** Makes a server ready to be called. Declare it afterwards. */
  readonly register: (server: McpServer) => Registration
  /** Answers `mcp/message` of the agent. A request to a server of another component is passed on. */
  readonly answer: RequestInterceptor<MessageMcpRequest, MessageMcpResponse>
}

interface Registered extends McpServer {
  readonly active: Set<string>
  readonly disposed: Deferred.Deferred<void>
}

const cancelled = new RpcError({ code: ErrorCode.RequestCancelled, message: "The MCP server has ended" })

const failed = (message: string): RpcError => new RpcError({ code: McpOverAcp.ErrorCode.Failed, message })

const unavailable = (serverId: string): RpcError =>
  new RpcError({
    code: McpOverAcp.ErrorCode.ServerUnavailable,
    message: "The MCP server is not there any more",
    data: { serverId }
  })

/** What is wrong with a request by the revision of MCP; undefined if nothing is. */
const wrongMeta = (params: McpOverAcp.JsonObject): RpcError | undefined => {
  const meta = McpOverAcp.objectOf(params["_meta"])
  const version = meta[McpOverAcp.MetaKey.protocolVersion]
  if (typeof version !== "string")
    return RpcError.invalidParams(`params._meta lacks ${McpOverAcp.MetaKey.protocolVersion}`)
  if (version !== McpOverAcp.revision)
    return new RpcError({
      code: McpOverAcp.McpErrorCode.UnsupportedVersion,
      message: "Unsupported protocol version",
      data: { supported: [McpOverAcp.revision], requested: version }
    })
  return McpOverAcp.isJsonObject(meta[McpOverAcp.MetaKey.clientCapabilities])
    ? undefined
    : RpcError.invalidParams(`params._meta lacks ${McpOverAcp.MetaKey.clientCapabilities}`)
}

/** An error as MCP writes it. */
const mcpError = ({ code, data, message }: RpcError) => ({ code, message, ...(data === undefined ? {} : { data }) })

/** The servers of one connection. An id belongs to one server for as long as the connection lives. */
export const make = (agent: Pick<Neighbour, "notify">): McpProvider => {
  const servers = new Map<string, Registered>()
  const mark = globalThis.crypto.randomUUID()
  let lastNumber = 0

  const refusal = ({ requestId, serverId }: MessageMcpRequest, { active, mostActive }: Registered) => {
    if (active.has(requestId))
      return RpcError.invalidParams(`A request ${JSON.stringify(requestId)} to this MCP server is under way already`)
    const most = mostActive ?? McpOverAcp.defaultMostActive
    if (active.size < most) return undefined
    return new RpcError({
      code: McpOverAcp.ErrorCode.LimitReached,
      message: `${most} requests to this MCP server are under way already`,
      data: { serverId }
    })
  }

  const call = ({ method, params, requestId, serverId }: MessageMcpRequest, server: Registered) => {
    const inner = McpOverAcp.objectOf(params)
    const wrong = wrongMeta(inner)
    if (wrong !== undefined) return Effect.succeed({ error: mcpError(wrong) })
    let isOver = false
    server.active.add(requestId)
    const notify: McpCall["notify"] = (said, about) =>
      Effect.suspend(() =>
        isOver
          ? Effect.void
          : agent.notify("mcp/message", { serverId, requestId, method: said, ...(about && { params: about }) })
      )
    return Effect.suspend(() => server.handler({ serverId, requestId, method, params: inner, notify })).pipe(
      Effect.raceFirst(Effect.andThen(Deferred.await(server.disposed), Effect.interrupt)),
      Effect.exit,
      Effect.ensuring(
        Effect.sync(() => {
          isOver = true
          server.active.delete(requestId)
        })
      ),
      Effect.flatMap((exit) => outcome(exit, server))
    )
  }

  const outcome = (
    exit: Exit.Exit<unknown, RpcError>,
    server: Registered
  ): Effect.Effect<MessageMcpResponse, RpcError> => {
    if (Exit.isSuccess(exit)) return Effect.succeed({ result: exit.value ?? null })
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
    if (failure !== undefined) return Effect.succeed({ error: mcpError(failure.error) })
    if (Deferred.isDoneUnsafe(server.disposed)) return Effect.fail(cancelled)
    const thrown = Cause.squash(exit.cause)
    return Effect.fail(failed(`The MCP server failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`))
  }

  return {
    register: (server) => {
      lastNumber += 1
      const serverId = `${server.name}:${mark}:${lastNumber}`
      const disposed = Deferred.makeUnsafe<void>()
      servers.set(serverId, { ...server, active: new Set(), disposed })
      return {
        declaration: { type: "acp", name: server.name, serverId },
        dispose: Effect.sync(() => {
          servers.delete(serverId)
          Deferred.doneUnsafe(disposed, Exit.void)
        })
      }
    },
    answer: (request, forward) => {
      const server = servers.get(request.serverId)
      // An id with our mark is that of a server which has ended.
      if (server === undefined)
        return request.serverId.includes(mark) ? Effect.fail(unavailable(request.serverId)) : forward()
      const refused = refusal(request, server)
      return refused === undefined ? call(request, server) : Effect.fail(refused)
    }
  }
}
