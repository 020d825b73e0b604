/** Calls the tools of a session's MCP servers, over the transport on which each is offered. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import type { McpServer } from "@signalbox/acp/AcpSchema"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as McpClient from "effect/ai/McpClient"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as ChildProcess from "effect/process/ChildProcess"
import { randomUUID } from "node:crypto"

/** Why a server or its tool could not be used, in words. */
export class ToolFailure extends Data.TaggedError("ToolFailure")<{ readonly message: string }> {}

/** The arguments of a call. */
export interface Arguments {
  readonly [name: string]: Schema.Json
}

interface ToolResult {
  readonly content: unknown
  readonly isError: boolean
}

/** A connection to one server. */
interface ToolClient {
  readonly listTools: Effect.Effect<
    ReadonlyArray<{ readonly name: string; readonly description?: string | undefined }>,
    ToolFailure
  >
  readonly callTool: (name: string, args: Arguments) => Effect.Effect<ToolResult, ToolFailure>
}

/** The requests over ACP that an agent offers; undefined if it takes no servers over ACP. */
type OverAcp = AcpAgent["mcpMessage"] | undefined

const failWith = (error: { readonly message: string }) => new ToolFailure({ message: error.message })

/** Connects to the server of this name until the scope closes. */
export const connect = Effect.fnUntraced(function* (
  servers: ReadonlyArray<McpServer>,
  name: string,
  overAcp?: OverAcp
) {
  const server = servers.find((candidate) => candidate.name === name)
  if (server === undefined) return yield* new ToolFailure({ message: `MCP server '${name}' not found` })
  if ("type" in server && server.type === "acp" && overAcp !== undefined)
    return acpClient(name, server.serverId, overAcp)
  const transport = yield* transportTo(server)
  if (transport !== undefined) return yield* classicClient(name, transport)
  return yield* new ToolFailure({ message: `${name} is offered over a transport that is not yet supported` })
})

const transportTo = (server: McpServer) => {
  const protocol = McpProtocol.v2025_11_25
  if ("command" in server) {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]))
    const command = ChildProcess.make(server.command, server.args, { env, extendEnv: true, stderr: "ignore" })
    return Effect.mapError(McpClient.stdio({ command, protocol }), failWith)
  }
  if (server.type !== "http") return Effect.undefined
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]))
  return Effect.mapError(
    Effect.provide(McpClient.http({ url: server.url, protocol, headers }), FetchHttpClient.layer),
    failWith
  )
}

const classicClient = Effect.fnUntraced(function* (server: string, transport: McpClient.Transport) {
  const client = yield* McpClient.make({ name: "stand-in", version: "0.1.0", timeout: "10 seconds" }).pipe(
    Effect.provideService(McpClient.Transport, transport),
    Effect.mapError(failWith)
  )
  const listTools = Effect.mapError(client.listTools(), failWith)
  const tools: ToolClient = {
    listTools,
    callTool: Effect.fnUntraced(function* (name, args) {
      const tool = (yield* listTools).find((candidate) => candidate.name === name)
      if (tool === undefined) return yield* new ToolFailure({ message: `${server} has no tool ${name}` })
      const { content, isError } = yield* Effect.mapError(client.callTool({ tool, arguments: args }), failWith)
      return { content, isError: isError === true }
    })
  }
  return tools
})

/** Each request is one of MCP 2026-07-28, with the metadata that it wants. */
const acpClient = (server: string, serverId: string, send: NonNullable<OverAcp>): ToolClient => {
  const request = Effect.fnUntraced(function* (method: string, params: McpOverAcp.JsonObject) {
    const _meta = {
      [McpOverAcp.MetaKey.protocolVersion]: McpOverAcp.revision,
      [McpOverAcp.MetaKey.clientCapabilities]: {},
      [McpOverAcp.MetaKey.clientInfo]: { name: "stand-in", version: "0.1.0" }
    }
    const asked = { serverId, requestId: randomUUID(), method, params: { ...params, _meta } }
    const outcome = McpOverAcp.outcomeOf(yield* Effect.mapError(send(asked), failWith))
    if (outcome === undefined) return yield* new ToolFailure({ message: `${server} answered without an outcome` })
    if ("error" in outcome) return yield* failWith(outcome.error)
    return McpOverAcp.objectOf(outcome.result)
  })
  const decodeTools = Schema.decodeUnknownEffect(
    Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.optionalKey(Schema.String) }))
  )
  return {
    listTools: Effect.flatMap(request("tools/list", {}), ({ tools }) => Effect.mapError(decodeTools(tools), failWith)),
    callTool: (name, args) =>
      Effect.map(request("tools/call", { name, arguments: args }), ({ content, isError }) => ({
        content,
        isError: isError === true
      }))
  }
}
