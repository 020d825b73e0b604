/**
 * Gives each session of an agent MCP servers of the proxy before it: they are declared when the session begins, and end with it.
 *
 * An agent that takes no servers over ACP gets none. A bridge directly before the agent makes it take them.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Interceptors, Neighbours, RequestInterceptor } from "./AcpProxy.ts"
import type { McpServer as Declared } from "./AcpSchema.ts"
import { RpcError } from "./JsonRpc.ts"
import * as McpOverAcp from "./McpOverAcp.ts"
import * as McpProvider from "./McpProvider.ts"

/** A session that begins, or goes on. */
export interface Opened {
  readonly method: "session/new" | "session/load" | "session/resume" | "session/fork"
  readonly cwd: string
  readonly additionalDirectories: ReadonlyArray<string>
  /** The id of the session; undefined until the agent has named it. */
  readonly sessionId: () => string | undefined
}

/** The servers for a session. What they need ends with the scope: when the session is closed or replaced, or the connection ends. */
export type ServersOf<R> = (
  opened: Opened
) => Effect.Effect<ReadonlyArray<McpProvider.McpServer>, RpcError, R | Scope.Scope>

/** What requests that open a session have in common. */
interface Opening {
  readonly cwd: string
  readonly additionalDirectories?: ReadonlyArray<string> | null
  readonly mcpServers?: ReadonlyArray<Declared>
}

/** Whether an agent takes MCP servers over ACP, by its answer to `initialize` in version 1 or 2. */
export const takesAcp = (answer: unknown): boolean => {
  const { agentCapabilities, capabilities } = McpOverAcp.objectOf(answer)
  const { mcpCapabilities } = McpOverAcp.objectOf(agentCapabilities)
  if (McpOverAcp.objectOf(mcpCapabilities)["acp"] === true) return true
  const { mcp } = McpOverAcp.objectOf(McpOverAcp.objectOf(capabilities)["session"])
  return McpOverAcp.isJsonObject(McpOverAcp.objectOf(mcp)["acp"])
}

/** Interceptors for `AcpProxy.make`. A proxy that intercepts more adds to what is here. */
export const interceptors = <R>({ agent }: Pick<Neighbours, "agent">, serversOf: ServersOf<R>) => {
  const provider = McpProvider.make(agent)
  const sessions = new Map<string, Scope.Closeable>()
  let isWanted = false

  const end = (sessionId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const scope = sessions.get(sessionId)
      sessions.delete(sessionId)
      return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
    })

  /** Declares the servers. They end at once if the session does not begin. */
  const opening =
    <Params extends Opening, Result>(
      method: Opened["method"],
      sessionIdOf: (params: Params, result: Result) => string
    ): RequestInterceptor<Params, Result, R | Scope.Scope> =>
    (params, forward) =>
      isWanted
        ? Effect.gen(function* () {
            let sessionId: string | undefined
            const scope = yield* Scope.fork(yield* Effect.scope)
            const begun = Effect.gen(function* () {
              const opened: Opened = {
                method,
                cwd: params.cwd,
                additionalDirectories: params.additionalDirectories ?? [],
                sessionId: () => sessionId
              }
              const servers = yield* Scope.provide(serversOf(opened), scope)
              const registered = servers.map(provider.register)
              yield* Scope.addFinalizer(
                scope,
                Effect.forEach(registered, ({ dispose }) => dispose, { discard: true })
              )
              const declared = registered.map(({ declaration }) => declaration)
              return yield* forward({ ...params, mcpServers: [...(params.mcpServers ?? []), ...declared] })
            })
            const result = yield* Effect.onError(begun, () => Scope.close(scope, Exit.void))
            sessionId = sessionIdOf(params, result)
            yield* end(sessionId)
            sessions.set(sessionId, scope)
            return result
          })
        : forward()

  return {
    clientRequestsAsJson: {
      initialize: (_params, forward) =>
        Effect.tap(forward(), (answer) => Effect.sync(() => void (isWanted = takesAcp(answer))))
    },
    clientRequests: {
      "session/new": opening("session/new", (_params, { sessionId }) => sessionId),
      "session/load": opening("session/load", ({ sessionId }) => sessionId),
      "session/resume": opening("session/resume", ({ sessionId }) => sessionId),
      "session/fork": opening("session/fork", (_params, { sessionId }) => sessionId),
      "session/close": ({ sessionId }, forward) => Effect.ensuring(forward(), end(sessionId))
    },
    agentRequests: { "mcp/message": provider.answer }
  } satisfies Interceptors<R | Scope.Scope>
}
