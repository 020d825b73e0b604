/**
 * Stands directly before an agent that takes no MCP servers over ACP, and gives it those that components have declared: at an address of this
 * machine, or else as programs. An agent that takes them over ACP gets everything as it came.
 */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import type { McpServer } from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as McpCaller from "@signalbox/acp/McpCaller"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Scope from "effect/Scope"
import * as AgentTransports from "./AgentTransports.ts"
import type { Backend } from "./Backend.ts"
import * as ClassicSession from "./ClassicSession.ts"
import * as Endpoint from "./Endpoint.ts"
import * as LegacyBinding from "./LegacyBinding.ts"
import * as LegacySession from "./LegacySession.ts"
import * as LegacySpelling from "./LegacySpelling.ts"
import * as Shim from "./Shim.ts"

export interface Options {
  /**
   * Whether components may know the older binding of MCP over ACP only. The agent then gets no servers over ACP, since it could know the
   * other binding.
   */
  readonly legacy: boolean
}

/** Requests that open a session have this in common. */
interface Opening {
  readonly mcpServers?: ReadonlyArray<McpServer>
}

/** What intercepts one method, of a table of interceptors. */
type Interceptor<Table> = NonNullable<Table>[keyof NonNullable<Table>]

const notTaken = RpcError.invalidParams("The agent takes MCP servers neither over ACP, nor by HTTP, nor as programs")

/** A server over ACP as it was declared. */
interface Declared {
  readonly serverId: string
  /** What the agent gets, too. */
  readonly rest: object
}

const declaredIn = (server: McpServer): Declared | undefined => {
  if (server.type !== "acp" || !("serverId" in server)) return undefined
  const { serverId, type: _, ...rest } = server
  return { serverId, rest }
}

/** A server in the spelling with an underscore. */
const addressedIn = (server: McpServer): Declared | undefined => {
  if (server.type !== "http" || !("url" in server) || !server.url.startsWith(LegacySpelling.addressPrefix))
    return undefined
  const { headers: _, type: __, url, ...rest } = server
  return { serverId: url, rest }
}

/** Speaks over the link until the connection is over. */
export const run = Effect.fnUntraced(function* (
  link: MessageLink,
  options: Options = { legacy: false }
): Effect.fn.Return<void, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const start: LegacySession.Start = yield* FiberSet.makeRuntime<never, unknown, RpcError>()
  let transport: AgentTransports.AgentTransport = "none"
  let programKind: object = {}

  const proxy = yield* AcpProxy.make(link, ({ client }) => {
    const caller = McpCaller.make(client)
    const begin: ClassicSession.Begin = (server) => ClassicSession.make(caller, server)
    const legacy = options.legacy ? LegacyBinding.make(client, caller) : undefined
    const backend: Backend =
      legacy === undefined
        ? { caller, begin }
        : { caller: legacy.caller, begin: (server) => LegacySession.make(legacy, begin, start, server) }
    let endpoint: Endpoint.Endpoint | undefined

    /** Listens when the first server is declared. Most connections have none. */
    const listening = Effect.suspend(() =>
      endpoint === undefined
        ? Effect.tap(Scope.provide(Endpoint.start(backend), scope), (started) =>
            Effect.sync(() => (endpoint = started))
          )
        : Effect.succeed(endpoint)
    ).pipe(Effect.mapError(({ message }) => RpcError.internal(`The MCP bridge can't listen. ${message}`)))

    const overAcp = (server: McpServer): Declared | undefined => {
      const addressed = legacy && addressedIn(server)
      if (addressed !== undefined) legacy?.declaredAt(addressed.serverId)
      return addressed ?? declaredIn(server)
    }

    const served = (server: McpServer, { serve }: Endpoint.Endpoint): McpServer => {
      const declared = overAcp(server)
      if (declared === undefined) return server
      const { rest, serverId } = declared
      const { name } = server
      const { token, url } = serve({ serverId, name })
      if (transport === "http")
        return { ...rest, name, type: "http", url, headers: [{ name: "Authorization", value: `Bearer ${token}` }] }
      return { ...rest, name, ...programKind, ...Shim.program(url, token) }
    }

    const opening = <Params extends Opening, Result>(
      params: Params,
      forward: AcpProxy.Forward<Params, Result, RpcError>
    ): Effect.Effect<Result, RpcError> => {
      const { mcpServers = [] } = params
      if (transport === "acp" || mcpServers.every((server) => overAcp(server) === undefined)) return forward()
      if (transport === "none") return Effect.fail(notTaken)
      return Effect.flatMap(listening, (at) =>
        forward({ ...params, mcpServers: mcpServers.map((server) => served(server, at)) })
      )
    }

    const onRequest: Interceptor<AcpProxy.Interceptors["clientRequestsAsJson"]> = (asked, forward) =>
      legacy?.onRequest(asked) ?? forward()

    const onNotification: Interceptor<AcpProxy.Interceptors["clientNotificationsAsJson"]> = (said, forward) =>
      // What a server says about a request of this bridge. Nobody waits for anything else.
      Effect.suspend(() =>
        legacy?.onNotification(said) === true ||
        (McpOverAcp.isNotification(said) && caller.onNotification(said)) ||
        transport !== "acp"
          ? Effect.void
          : forward()
      )

    return {
      clientRequestsAsJson: {
        initialize: (_params, forward) =>
          Effect.map(forward(), (answer) => {
            transport = AgentTransports.of(answer, !options.legacy)
            programKind = AgentTransports.programKind(answer)
            return transport === "http" || transport === "stdio" ? AgentTransports.withAcp(answer) : answer
          }),
        ...(legacy && { "mcp/message": onRequest, "_mcp/message": onRequest })
      },
      clientRequests: {
        "session/new": opening,
        "session/load": opening,
        "session/resume": opening,
        "session/fork": opening
      },
      clientNotificationsAsJson: {
        "mcp/message": onNotification,
        ...(legacy && { "_mcp/message": onNotification })
      }
    }
  })
  yield* proxy.closed
})
