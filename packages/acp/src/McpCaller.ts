/** Calls MCP servers that another component has declared over ACP: the end of an agent, or of a bridge before one. */
import * as Effect from "effect/Effect"
import type { Neighbour } from "./AcpProxy.ts"
import type { MessageMcpNotification } from "./AcpSchema.ts"
import { RpcError } from "./JsonRpc.ts"
import * as McpOverAcp from "./McpOverAcp.ts"

/** A request of MCP. The metadata of the revision stand in `params._meta`. */
export interface McpRequest {
  readonly serverId: string
  readonly method: string
  readonly params: McpOverAcp.JsonObject
}

/** What a server says while it works on a request: progress, a line of log, an event. */
export interface McpNotification {
  readonly method: string
  readonly params?: McpOverAcp.JsonObject | undefined
}

export interface McpCaller {
  /**
   * Sends a request, and returns its outcome. Fails with the error of the binding. Interruption cancels it.
   *
   * @param onNotification runs synchronously, and never after the outcome
   * @param requestId names the request to the server; a new name if it is left out
   */
  readonly request: (
    request: McpRequest,
    onNotification: (notification: McpNotification) => void,
    requestId?: string
  ) => Effect.Effect<McpOverAcp.Outcome, RpcError>
  /** Takes an `mcp/message` notification. False if no request of this caller is meant: nobody waits for it then. */
  readonly onNotification: (notification: MessageMcpNotification) => boolean
}

/** @param provider the side on which the servers are: for a proxy, its client */
export const make = (provider: Pick<Neighbour, "requestExactly">): McpCaller => {
  const active = new Map<string, (notification: McpNotification) => void>()
  const keyOf = (serverId: string, requestId: string) => JSON.stringify([serverId, requestId])

  return {
    request: (request, onNotification, requestId = globalThis.crypto.randomUUID()) =>
      Effect.suspend(() => {
        const { method, params, serverId } = request
        const key = keyOf(serverId, requestId)
        active.set(key, onNotification)
        return provider.requestExactly("mcp/message", { serverId, requestId, method, params }).pipe(
          Effect.flatMap((answer) => {
            const outcome = McpOverAcp.outcomeOf(answer)
            return outcome === undefined
              ? Effect.fail(
                  new RpcError({
                    code: McpOverAcp.ErrorCode.Failed,
                    message: "The MCP server's answer holds no outcome"
                  })
                )
              : Effect.succeed(outcome)
          }),
          Effect.ensuring(Effect.sync(() => active.delete(key)))
        )
      }),
    onNotification: ({ method, params, requestId, serverId }) => {
      const take = active.get(keyOf(serverId, requestId))
      take?.({ method, ...(params != null && { params }) })
      return take !== undefined
    }
  }
}
