/** Requests and results between classic MCP (with `initialize` and sessions) and MCP 2026-07-28, as pure functions. */
import { ErrorCode, type RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"

/** Revisions of classic MCP, newest first. */
export const classicRevisions: ReadonlyArray<string> = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

const newestClassic = "2025-11-25"

/** The revision to speak with a client that asks for this one. */
export const classicRevision = (asked: unknown): string =>
  classicRevisions.find((revision) => revision === asked) ?? newestClassic

/** What a classic client has said of itself. Each request over ACP repeats it. */
export interface ClassicClient {
  readonly capabilities: McpOverAcp.JsonObject
  readonly info: unknown
  readonly logLevel: string | undefined
}

/** The parameters of a classic request, with the metadata that MCP 2026-07-28 wants. */
export const withMeta = (params: McpOverAcp.JsonObject, client: ClassicClient): McpOverAcp.JsonObject => {
  const { MetaKey } = McpOverAcp
  return {
    ...params,
    _meta: {
      ...McpOverAcp.objectOf(params["_meta"]),
      [MetaKey.protocolVersion]: McpOverAcp.revision,
      [MetaKey.clientCapabilities]: client.capabilities,
      ...(McpOverAcp.isJsonObject(client.info) && { [MetaKey.clientInfo]: client.info }),
      ...(client.logLevel !== undefined && { [MetaKey.logLevel]: client.logLevel })
    }
  }
}

/** A failure of the binding, as an error of MCP. */
export const failed = ({ code, data, message }: Pick<RpcError, "code" | "data" | "message">): McpOverAcp.Outcome => ({
  error: { code, message, ...(data === undefined ? {} : { data }) }
})

/** The outcome of a request on which the bridge itself has failed. */
export const brokenDown = failed({ code: McpOverAcp.ErrorCode.Failed, message: "The MCP bridge has failed" })

/** The outcome for a classic client: without members that its revision does not know. */
export const classicOutcome = (method: string, outcome: McpOverAcp.Outcome): McpOverAcp.Outcome => {
  if ("error" in outcome || !McpOverAcp.isJsonObject(outcome.result)) return outcome
  const { cacheScope: _scope, resultType, ttlMs: _life, ...result } = outcome.result
  if (resultType === "input_required")
    return failed({
      code: ErrorCode.InternalError,
      message: "The server asks for input, and does not say for which"
    })
  return withoutHeaderNames(method, { result: withObjectsOnly(method, result) })
}

/** Classic MCP knows structured results that are objects only. Others are in the text of the result, too. */
const withObjectsOnly = (method: string, result: McpOverAcp.JsonObject): McpOverAcp.JsonObject => {
  if (method === "tools/call") {
    const { structuredContent, ...rest } = result
    return McpOverAcp.isJsonObject(structuredContent) ? result : rest
  }
  const { tools } = result
  return method === "tools/list" && Array.isArray(tools) ? { ...result, tools: tools.map(withObjectSchema) } : result
}

const withObjectSchema = (tool: unknown): unknown => {
  if (!McpOverAcp.isJsonObject(tool)) return tool
  const { outputSchema, ...rest } = tool
  return McpOverAcp.objectOf(outputSchema)["type"] === "object" ? tool : rest
}

/** The answer to a classic `initialize`, from that to `server/discover`. */
export const initialized = (revision: string, name: string, discovered: unknown): McpOverAcp.JsonObject => {
  const { _meta, capabilities, instructions } = McpOverAcp.objectOf(discovered)
  const info = McpOverAcp.objectOf(_meta)[McpOverAcp.MetaKey.serverInfo]
  return {
    protocolVersion: revision,
    capabilities: McpOverAcp.isJsonObject(capabilities) ? capabilities : { tools: {} },
    serverInfo: McpOverAcp.isJsonObject(info) ? info : { name, version: "0" },
    ...(typeof instructions === "string" && { instructions })
  }
}

/** Data in a schema, which is no schema itself. */
const dataKeys: ReadonlySet<string> = new Set(["default", "const", "enum", "examples", "example"])

/** Schemas below this depth stay as they are. */
const deepest = 64

const headerName = "x-mcp-header"

const schemaWithout = (schema: unknown, depth: number): unknown => {
  if (depth > deepest) return schema
  if (Array.isArray(schema)) return schema.map((one) => schemaWithout(one, depth + 1))
  if (!McpOverAcp.isJsonObject(schema)) return schema
  const entries = Object.entries(schema)
    // A property of this name has a schema, which is no text.
    .filter(([name, value]) => name !== headerName || typeof value !== "string")
    .map(([name, value]) => [name, dataKeys.has(name) ? value : schemaWithout(value, depth + 1)])
  return Object.fromEntries(entries)
}

/**
 * Tools without the names of headers in their schemas. A client would repeat arguments in such headers, and no header passes over ACP.
 */
export const withoutHeaderNames = (method: string, outcome: McpOverAcp.Outcome): McpOverAcp.Outcome => {
  if (method !== "tools/list" || "error" in outcome) return outcome
  const { tools, ...rest } = McpOverAcp.objectOf(outcome.result)
  if (!Array.isArray(tools)) return outcome
  const stripped = tools.map((tool: unknown) =>
    McpOverAcp.isJsonObject(tool) && "inputSchema" in tool
      ? { ...tool, inputSchema: schemaWithout(tool["inputSchema"], 0) }
      : tool
  )
  return { result: { ...rest, tools: stripped } }
}
