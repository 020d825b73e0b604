/**
 * MCP over ACP: what both ends share. A component declares MCP servers, and a consumer calls them by `mcp/message`.
 *
 * Each call is one request of MCP 2026-07-28, which has neither sessions nor `initialize`. Its outcome stands inside a successful answer of
 * ACP. Errors of the binding itself are errors of ACP.
 *
 * Source: ACP, `mcp/message` in the schema; MCP 2026-07-28, request metadata.
 */
import * as Predicate from "effect/Predicate"
import * as ExactJson from "./ExactJson.ts"
import type { McpError, MessageMcpNotification } from "./AcpSchema.ts"

/** The only revision of MCP that passes over ACP. */
export const revision = "2026-07-28"

/** Keys of `_meta` in requests and results of MCP. */
export const MetaKey = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId"
} as const

/**
 * Errors of the binding, beside -32602 (malformed or repeated) and -32800 (cancelled).
 *
 * - `LimitReached`: too many requests to this server are under way.
 * - `ServerUnavailable`: the server is not known, or not any more.
 * - `Failed`: the server's code failed without an outcome.
 */
export const ErrorCode = { LimitReached: -33_000, ServerUnavailable: -33_001, Failed: -33_002 } as const

/** Errors of MCP itself, which stand inside an answer. */
export const McpErrorCode = { HeaderMismatch: -32_020, UnsupportedVersion: -32_022 } as const

/** The requests to one server that may be under way at once, if nothing else is said. */
export const defaultMostActive = 64

/** How a request of MCP ended. */
export type Outcome = { readonly result: unknown } | { readonly error: McpError }

export type JsonObject = { readonly [name: string]: unknown }

export const isJsonObject = (value: unknown): value is JsonObject =>
  Predicate.isObject(value) && !Array.isArray(value) && !ExactJson.isRawNumber(value)

/** The members of an object; none if it is another value. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

const isMcpError = (value: unknown): value is McpError =>
  isJsonObject(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string"

/** The outcome in an answer of ACP; undefined if it holds none. Where both are present, the result counts. */
export const outcomeOf = (answer: unknown): Outcome | undefined => {
  if (!isJsonObject(answer)) return undefined
  if (Object.hasOwn(answer, "result")) return { result: answer["result"] }
  const { error } = answer
  return isMcpError(error) ? { error } : undefined
}

/** Whether the parameters of an `mcp/message` notification are about a request. */
export const isNotification = (params: unknown): params is MessageMcpNotification =>
  isJsonObject(params) &&
  typeof params["serverId"] === "string" &&
  typeof params["requestId"] === "string" &&
  typeof params["method"] === "string" &&
  isJsonObject(params["params"] ?? {})
