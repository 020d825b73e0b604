/** Two spellings of the older binding: that of the protocol's own drafts, and the one before them, whose methods begin with an underscore. */
import type { Neighbour } from "@signalbox/acp/AcpProxy"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import type { RpcError } from "@signalbox/acp/JsonRpc"

/** How a server is connected to, called and left. */
export interface LegacySpelling {
  /** Returns the connection's name; undefined if the server gave none. */
  readonly connect: (serverId: string) => Effect.Effect<string | undefined, RpcError>
  readonly message: string
  /** Nobody waits for the answer, if there is one. */
  readonly disconnect: (connectionId: string) => Effect.Effect<void>
}

const textIn = (answer: unknown, member: string): string | undefined => {
  const value = McpOverAcp.objectOf(answer)[member]
  return typeof value === "string" ? value : undefined
}

/** Source: ACP, RFD "MCP over ACP"; the official SDK up to 1.5. */
export const draft = (provider: Neighbour): LegacySpelling => ({
  connect: (serverId) =>
    Effect.map(provider.request("mcp/connect", { serverId }), (answer) => textIn(answer, "connectionId")),
  message: "mcp/message",
  disconnect: (connectionId) => Effect.ignore(provider.request("mcp/disconnect", { connectionId }))
})

/** Servers of this spelling are declared as servers by HTTP, at such an address. */
export const addressPrefix = "acp:"

/** Source: the Rust crates `sacp` 10 and 11, `schema/proxy_protocol.rs`. */
export const underscored = (provider: Neighbour): LegacySpelling => ({
  connect: (address) =>
    Effect.map(provider.request("_mcp/connect", { acp_url: address }), (answer) => textIn(answer, "connection_id")),
  message: "_mcp/message",
  disconnect: (connectionId) => provider.notify("_mcp/disconnect", { connection_id: connectionId })
})
