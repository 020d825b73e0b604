/** A minimal MCP server over stdio with one tool: `add`, of the numbers `a` and `b`. */
import type { McpServerStdio } from "@agentclientprotocol/sdk"

const program = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } },
    "tools/list": { tools: [{ name: "add", description: "Adds two numbers", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: String((params?.arguments?.a ?? 0) + (params?.arguments?.b ?? 0)) }] }
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }))
})`

/** The declaration of the server, by this name. */
export const mcpServer = (name: string): McpServerStdio => ({
  name,
  command: process.execPath,
  args: ["-e", program],
  env: []
})
