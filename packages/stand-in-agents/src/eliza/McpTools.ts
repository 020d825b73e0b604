/** Eliza's two commands for MCP servers: `List tools from <server>` and `Use tool <server>::<tool> with <json>`. */
import type { McpServer } from "@signalbox/acp/AcpSchema"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ToolClient from "../mcp/ToolClient.ts"

const listCommand = /^\s*list tools from ([\w-]+)\s*$/i
const useCommand = /^\s*use tool ([\w-]+)::([\w.-]+) with (.+)$/is
const Arguments = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))
const decodeArguments = Schema.decodeUnknownEffect(Arguments)

/** Whether these words are one of the two commands. */
export const isCommand = (prompt: string): boolean => listCommand.test(prompt) || useCommand.test(prompt)

/** What a command comes to, in words. Connects for each call and closes again. */
export const answer = Effect.fnUntraced(
  function* (prompt: string, servers: ReadonlyArray<McpServer>) {
    const listed = listCommand.exec(prompt)?.[1]
    const [, used, toolName = "", json = ""] = useCommand.exec(prompt) ?? []
    const name = listed ?? used ?? ""
    if (!servers.some((server) => server.name === name)) return `MCP server '${name}' not found`
    const client = yield* ToolClient.connect(servers, name)
    if (listed !== undefined) {
      const lines = (yield* client.listTools).map((tool) => `  - ${tool.name}: ${tool.description ?? "No description"}`)
      return `Available tools:\n${lines.join("\n")}`
    }
    const args = yield* decodeArguments(json).pipe(Effect.result)
    if (args._tag === "Failure") return `Invalid JSON params: ${args.failure.message}`
    const { content } = yield* client.callTool(toolName, args.success)
    return `OK: ${JSON.stringify(content)}`
  },
  Effect.scoped,
  Effect.catch((error) => Effect.succeed(`ERROR: ${error.message}`))
)
