/** Requests of MCP 2026-07-28, each for itself. Headers repeat what the body says, and have to agree with it. */
import * as ExactJson from "@signalbox/acp/ExactJson"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { McpCaller, McpNotification } from "@signalbox/acp/McpCaller"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import * as Translation from "./Translation.ts"

/** Headers by their name in small letters. */
export type Headers = { readonly [name: string]: string | undefined }

/** The revision that a request names in its metadata; undefined if it names none, as in classic MCP. */
export const revisionIn = (params: McpOverAcp.JsonObject): string | undefined => {
  const revision = McpOverAcp.objectOf(params["_meta"])[McpOverAcp.MetaKey.protocolVersion]
  return typeof revision === "string" ? revision : undefined
}

const mismatch = (header: string): RpcError =>
  new RpcError({
    code: McpOverAcp.McpErrorCode.HeaderMismatch,
    message: `The header ${header} does not agree with the body`
  })

/** The member of the parameters that `Mcp-Name` repeats, by method. */
const named: { readonly [method: string]: string } = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

/** A header's value. Text that no header can hold stands there as base64. */
const headerText = (value: string | undefined): string | undefined => {
  if (value === undefined || !value.startsWith("=?base64?") || !value.endsWith("?=")) return value
  const encoded = value.slice("=?base64?".length, -"?=".length)
  const decoded = Buffer.from(encoded, "base64")
  return decoded.toString("base64") === encoded ? decoded.toString("utf8") : undefined
}

/** What is wrong with a request's revision or metadata; undefined if nothing is. */
const wrongMeta = (method: string, params: McpOverAcp.JsonObject): RpcError | undefined => {
  const requested = revisionIn(params)
  if (requested === undefined) return RpcError.invalidParams(`params._meta lacks ${McpOverAcp.MetaKey.protocolVersion}`)
  if (requested !== McpOverAcp.revision)
    return new RpcError({
      code: McpOverAcp.McpErrorCode.UnsupportedVersion,
      message: "Unsupported protocol version",
      data: { supported: [McpOverAcp.revision], requested }
    })
  const capabilities = McpOverAcp.objectOf(params["_meta"])[McpOverAcp.MetaKey.clientCapabilities]
  if (!McpOverAcp.isJsonObject(capabilities))
    return RpcError.invalidParams(`params._meta lacks ${McpOverAcp.MetaKey.clientCapabilities}`)
  return method === "initialize" ? RpcError.methodNotFound(method) : undefined
}

/** What is wrong with a request; undefined if nothing is. */
export const refusal = (headers: Headers, method: string, params: McpOverAcp.JsonObject): RpcError | undefined => {
  if (headers["mcp-protocol-version"] !== revisionIn(params)) return mismatch("MCP-Protocol-Version")
  const wrong = wrongMeta(method, params)
  if (wrong !== undefined) return wrong
  if (headers["mcp-method"] !== method) return mismatch("Mcp-Method")
  const member = named[method]
  if (member !== undefined) {
    if (typeof params[member] !== "string") return RpcError.invalidParams(`params.${member} is missing`)
    if (headerText(headers["mcp-name"]) !== params[member]) return mismatch("Mcp-Name")
  }
  // The tools were listed without the names of such headers.
  const extra = Object.keys(headers).find((name) => name.startsWith("mcp-param-"))
  return extra === undefined ? undefined : mismatch(extra)
}

/** Names the request as its client does, where the server has named it as it was sent over ACP. */
const renamed = (value: McpOverAcp.JsonObject, requestId: string, id: unknown): McpOverAcp.JsonObject => {
  const meta = McpOverAcp.objectOf(value["_meta"])
  return meta[McpOverAcp.MetaKey.subscriptionId] === requestId
    ? { ...value, _meta: { ...meta, [McpOverAcp.MetaKey.subscriptionId]: id } }
    : value
}

/** Sends a request on as it is. Interruption cancels it. */
export const request = (
  caller: McpCaller,
  serverId: string,
  id: string,
  method: string,
  params: McpOverAcp.JsonObject,
  say: (notification: McpNotification) => void
): Effect.Effect<McpOverAcp.Outcome> =>
  Effect.suspend(() => {
    const clientsId = ExactJson.parse(id)
    const requestId = globalThis.crypto.randomUUID()
    const hear = ({ method: said, params: about }: McpNotification) =>
      say({ method: said, params: about && renamed(about, requestId, clientsId) })
    return caller.request({ serverId, method, params }, hear, requestId).pipe(
      Effect.map((outcome) => {
        const { error, result } = {
          error: undefined,
          result: undefined,
          ...Translation.withoutHeaderNames(method, outcome)
        }
        if (error !== undefined) return { error }
        return { result: McpOverAcp.isJsonObject(result) ? renamed(result, requestId, clientsId) : result }
      }),
      Effect.catch((error) => Effect.succeed(Translation.failed(error)))
    )
  })

/** The status of an answer, by its error. */
export const statusOf = (outcome: McpOverAcp.Outcome): number => {
  const code = "error" in outcome ? outcome.error.code : undefined
  if (code === ErrorCode.MethodNotFound) return 404
  const { HeaderMismatch, UnsupportedVersion } = McpOverAcp.McpErrorCode
  const isBad =
    code === ErrorCode.InvalidParams || code === HeaderMismatch || code === UnsupportedVersion || code === -32_021
  return isBad ? 400 : 200
}
