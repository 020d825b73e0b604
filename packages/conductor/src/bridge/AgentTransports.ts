/** How an agent takes MCP servers, by its answer to `initialize` in version 1 or 2 of ACP. */
import type { InitializeResponse } from "@signalbox/acp/AcpSchema"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as McpSessions from "@signalbox/acp/McpSessions"

/**
 * - `acp`: as they are declared, so that nothing has to be done.
 * - `http`: at an address. Every request carries a token in its header.
 * - `stdio`: as a program that the agent starts.
 * - `none`: in none of these ways.
 */
export type AgentTransport = "acp" | "http" | "stdio" | "none"

const mcpOf = (capabilities: unknown): McpOverAcp.JsonObject =>
  McpOverAcp.objectOf(McpOverAcp.objectOf(McpOverAcp.objectOf(capabilities)["session"])["mcp"])

/** The best way that an agent offers. Every agent of version 1 takes programs. */
export const of = (answer: InitializeResponse): AgentTransport => {
  if (McpSessions.takesAcp(answer)) return "acp"
  if (answer.protocolVersion === 1) return answer.agentCapabilities?.mcpCapabilities?.http === true ? "http" : "stdio"
  const mcp = mcpOf(McpOverAcp.objectOf(answer)["capabilities"])
  if (McpOverAcp.isJsonObject(mcp["http"])) return "http"
  return McpOverAcp.isJsonObject(mcp["stdio"]) ? "stdio" : "none"
}

/** The answer of an agent that takes servers over ACP, too. */
export const withAcp = ({ agentCapabilities, ...answer }: InitializeResponse): InitializeResponse => {
  if (answer.protocolVersion === 1) {
    const { mcpCapabilities, ...others } = agentCapabilities ?? {}
    const { acp: _none, ...ways } = mcpCapabilities ?? {}
    return { ...answer, agentCapabilities: { ...others, mcpCapabilities: { ...ways, acp: true } } }
  }
  const { capabilities, ...rest } = { capabilities: undefined, ...answer }
  const offered = McpOverAcp.objectOf(capabilities)
  const session = McpOverAcp.objectOf(offered["session"])
  const more: object = { capabilities: { ...offered, session: { ...session, mcp: { ...mcpOf(offered), acp: {} } } } }
  return { ...rest, ...more }
}
