/** How an agent takes MCP servers, by its answer to `initialize` in version 1 or 2 of ACP. */
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

/**
 * The best way that an agent offers. Every agent of version 1 takes programs.
 *
 * @param isNative whether servers over ACP may reach the agent as they are
 */
export const of = (answer: unknown, isNative: boolean): AgentTransport => {
  if (isNative && McpSessions.takesAcp(answer)) return "acp"
  const { agentCapabilities, capabilities, protocolVersion } = McpOverAcp.objectOf(answer)
  if (protocolVersion === 1) {
    const { mcpCapabilities } = McpOverAcp.objectOf(agentCapabilities)
    return McpOverAcp.objectOf(mcpCapabilities)["http"] === true ? "http" : "stdio"
  }
  const mcp = mcpOf(capabilities)
  if (McpOverAcp.isJsonObject(mcp["http"])) return "http"
  return McpOverAcp.isJsonObject(mcp["stdio"]) ? "stdio" : "none"
}

/** What a declaration of a program says of its kind: version 1 knows no word for it, and version 2 wants one. */
export const programKind = (answer: unknown): object =>
  McpOverAcp.objectOf(answer)["protocolVersion"] === 1 ? {} : { type: "stdio" }

/** The answer of an agent that takes servers over ACP, too. */
export const withAcp = (answer: unknown): McpOverAcp.JsonObject => {
  const { agentCapabilities, capabilities, ...rest } = McpOverAcp.objectOf(answer)
  if (rest["protocolVersion"] === 1) {
    const { mcpCapabilities, ...others } = McpOverAcp.objectOf(agentCapabilities)
    const ways = { ...McpOverAcp.objectOf(mcpCapabilities), acp: true }
    return { ...McpOverAcp.objectOf(answer), agentCapabilities: { ...others, mcpCapabilities: ways } }
  }
  const offered = McpOverAcp.objectOf(capabilities)
  const session = { ...McpOverAcp.objectOf(offered["session"]), mcp: { ...mcpOf(offered), acp: {} } }
  return { ...McpOverAcp.objectOf(answer), capabilities: { ...offered, session } }
}
