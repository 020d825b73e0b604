/**
 * Servers of components that know the older binding of MCP over ACP only. They take `mcp/connect`, `mcp/message` with a connection, and
 * `mcp/disconnect`, or the same with an underscore. Each connection is a session of classic MCP, and both ends speak in it.
 */
import type { Neighbour } from "@signalbox/acp/AcpProxy"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { McpCaller, McpNotification } from "@signalbox/acp/McpCaller"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import * as LegacySpelling from "./LegacySpelling.ts"
import * as Translation from "./Translation.ts"

/** A connection to one server. */
export interface LegacyConnection {
  readonly request: (method: string, params: McpOverAcp.JsonObject) => Effect.Effect<unknown, RpcError>
  readonly notify: (method: string, params: McpOverAcp.JsonObject) => Effect.Effect<void>
  /** Ends the connection. Nobody waits for the answer. */
  readonly disconnect: Effect.Effect<void>
}

/** The client of a connection. */
export interface LegacyClient {
  readonly hear: (notification: McpNotification) => void
  readonly ask: (method: string, params: McpOverAcp.JsonObject) => Effect.Effect<McpOverAcp.Outcome>
}

/** Stands in for a client where a connection is only tried. */
const nobody: LegacyClient = {
  hear: () => {},
  ask: (method) => Effect.succeed(Translation.failed(RpcError.methodNotFound(method)))
}

export interface LegacyBinding {
  /**
   * Connects to a server. Undefined if it does not know the older binding: then it speaks the current one.
   *
   * @param client takes what the server says and asks
   */
  readonly connect: (serverId: string, client: LegacyClient) => Effect.Effect<LegacyConnection | undefined, RpcError>
  /** Notes that a server was declared at this address, as the spelling with an underscore does. Its id is the address. */
  readonly declaredAt: (address: string) => void
  /** Takes an `mcp/message` notification; false if it belongs to no connection. */
  readonly onNotification: (params: unknown) => boolean
  /** Answers an `mcp/message` request of a server; undefined if it belongs to no connection. */
  readonly onRequest: (params: unknown) => Effect.Effect<unknown, RpcError> | undefined
  /** Sends single requests of MCP 2026-07-28 to the servers that know them. */
  readonly caller: McpCaller
}

/** Why a server of the older binding can't answer a request of MCP 2026-07-28. */
const classicOnly: McpOverAcp.Outcome = Translation.failed({
  code: McpOverAcp.McpErrorCode.UnsupportedVersion,
  message: "Unsupported protocol version",
  data: { supported: Translation.classicRevisions, requested: McpOverAcp.revision }
})

const givenTwice = (connectionId: string) =>
  new RpcError({
    code: McpOverAcp.ErrorCode.Failed,
    message: `The MCP server has given the connection ${JSON.stringify(connectionId)} twice`
  })

/**
 * @param provider the side on which the servers are
 * @param current calls servers that speak the current binding
 */
export const make = (provider: Neighbour, current: McpCaller): LegacyBinding => {
  const connections = new Map<string, LegacyClient>()
  /** Servers that were declared at an address. */
  const addresses = new Set<string>()
  /** Whether a server speaks the older binding, as far as somebody has tried. */
  const isLegacy = new Map<string, boolean>()

  const draft = LegacySpelling.draft(provider)
  const underscored = LegacySpelling.underscored(provider)
  const spellingOf = (serverId: string) => (addresses.has(serverId) ? underscored : draft)

  const opened = (
    connectionId: string,
    client: LegacyClient,
    spelling: LegacySpelling.LegacySpelling
  ): LegacyConnection => {
    connections.set(connectionId, client)
    return {
      request: (method, params) => provider.requestExactly(spelling.message, { connectionId, method, params }),
      notify: (method, params) => provider.notify(spelling.message, { connectionId, method, params }),
      disconnect: Effect.suspend(() =>
        connections.delete(connectionId) ? spelling.disconnect(connectionId) : Effect.void
      )
    }
  }

  const connect: LegacyBinding["connect"] = (serverId, client) =>
    Effect.suspend(() => {
      if (isLegacy.get(serverId) === false) return Effect.undefined
      const spelling = spellingOf(serverId)
      return spelling.connect(serverId).pipe(
        Effect.flatMap((connectionId) => {
          isLegacy.set(serverId, connectionId !== undefined)
          if (connectionId === undefined) return Effect.undefined
          return connections.has(connectionId)
            ? Effect.fail(givenTwice(connectionId))
            : Effect.succeed(opened(connectionId, client, spelling))
        }),
        Effect.catch((error) => {
          if (error.code !== ErrorCode.MethodNotFound) return Effect.fail(error)
          isLegacy.set(serverId, false)
          return Effect.undefined
        })
      )
    })

  /** Whether a server speaks the older binding. */
  const speaksLegacy = (serverId: string): Effect.Effect<boolean, RpcError> =>
    Effect.suspend(() => {
      const known = isLegacy.get(serverId)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.flatMap(connect(serverId, nobody), (connection) =>
        Effect.as(connection?.disconnect ?? Effect.void, connection !== undefined)
      )
    })

  const clientOf = (params: unknown) => {
    const { connectionId } = McpOverAcp.objectOf(params)
    return typeof connectionId === "string" ? connections.get(connectionId) : undefined
  }

  return {
    connect,
    declaredAt: (address) => void addresses.add(address),
    onNotification: (params) => {
      const client = clientOf(params)
      const { method, params: about } = McpOverAcp.objectOf(params)
      if (client !== undefined && typeof method === "string")
        client.hear({ method, ...(McpOverAcp.isJsonObject(about) && { params: about }) })
      return client !== undefined
    },
    onRequest: (params) => {
      const client = clientOf(params)
      if (client === undefined) return undefined
      const { method, params: about } = McpOverAcp.objectOf(params)
      if (method === "ping") return Effect.succeed({})
      return Effect.flatMap(client.ask(String(method), McpOverAcp.objectOf(about)), (outcome) =>
        "error" in outcome ? Effect.fail(new RpcError(outcome.error)) : Effect.succeed(outcome.result)
      )
    },
    caller: {
      ...current,
      request: (request, onNotification, requestId) =>
        Effect.flatMap(speaksLegacy(request.serverId), (isOlder) =>
          isOlder ? Effect.succeed(classicOnly) : current.request(request, onNotification, requestId)
        )
    }
  }
}
