/**
 * The MCP servers that an agent receives: those that the session wants and the agent supports (ACP v1, session setup).
 */
import type { AgentCapabilities, McpServer } from "@signalbox/acp/AcpSchema"
import type { LeftOut, SessionMcpServers } from "../../../mcp/McpServers.ts"
import type { ReadyMcpServer } from "../../../mcp/ReadyMcpServer.ts"

export interface McpOffer {
  readonly servers: ReadonlyArray<McpServer>
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** Chooses the servers. `agent`: its name, for people. Every agent supports servers that it starts itself. */
export const make = (
  agent: string,
  { mcpCapabilities = {} }: AgentCapabilities,
  { leftOut, ready }: SessionMcpServers
): McpOffer => {
  const takes = ({ type }: ReadyMcpServer): boolean => type === "stdio" || mcpCapabilities?.[type] === true
  return {
    servers: ready.filter(takes).map(onTheWire),
    leftOut: [
      ...leftOut,
      ...ready
        .filter((server) => !takes(server))
        .map(({ name, type }) => ({ name, reason: `${agent} takes no MCP servers over ${words[type]}.` }))
    ]
  }
}

const words: Readonly<Record<ReadyMcpServer["type"], string>> = { stdio: "pipes", http: "HTTP", sse: "SSE" }

const onTheWire = (server: ReadyMcpServer): McpServer =>
  server.type === "stdio"
    ? { name: server.name, command: server.command, args: server.args, env: pairs(server.env) }
    : { type: server.type, name: server.name, url: server.url, headers: pairs(server.headers) }

const pairs = (record: Readonly<Record<string, string>>) =>
  Object.entries(record).map(([name, value]) => ({ name, value }))
