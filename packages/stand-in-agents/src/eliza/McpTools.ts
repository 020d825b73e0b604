/** Eliza's two commands for MCP servers: `List tools from <server>` and `Use tool <server>::<tool> with <json>`. */
import type { McpServer } from "@signalbox/acp/AcpSchema"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as McpClient from "effect/ai/McpClient"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as ChildProcess from "effect/process/ChildProcess"

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
    const name = listed ?? used
    const server = servers.find((candidate) => candidate.name === name)
    if (server === undefined) return `MCP server '${name}' not found`
    const client = yield* connect(server)
    if (client === undefined) return `ERROR: ${name} is offered over a transport that is not yet supported`
    const tools = yield* client.listTools()
    if (listed !== undefined) {
      const lines = tools.map((tool) => `  - ${tool.name}: ${tool.description ?? "No description"}`)
      return `Available tools:\n${lines.join("\n")}`
    }
    const tool = tools.find((candidate) => candidate.name === toolName)
    if (tool === undefined) return `ERROR: ${name} has no tool ${toolName}`
    const args = yield* decodeArguments(json).pipe(Effect.result)
    if (args._tag === "Failure") return `Invalid JSON params: ${args.failure.message}`
    const result = yield* client.callTool({ tool, arguments: args.success })
    return `OK: ${JSON.stringify(result.content)}`
  },
  Effect.scoped,
  Effect.catch((error) => Effect.succeed(`ERROR: ${error.message}`)),
  Effect.provide(FetchHttpClient.layer)
)

const connect = Effect.fnUntraced(function* (server: McpServer) {
  const protocol = McpProtocol.v2025_11_25
  if ("command" in server) {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]))
    const command = ChildProcess.make(server.command, server.args, { env, extendEnv: true, stderr: "ignore" })
    return yield* clientOf(yield* McpClient.stdio({ command, protocol }))
  }
  if (server.type !== "http") return undefined
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]))
  return yield* clientOf(yield* McpClient.http({ url: server.url, protocol, headers }))
})

const clientOf = (transport: McpClient.Transport) =>
  McpClient.make({ name: "eliza", version: "0.1.0", timeout: "10 seconds" }).pipe(
    Effect.provideService(McpClient.Transport, transport)
  )
