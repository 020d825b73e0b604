import type { JsonObject } from "../Json.ts"

/** An error to be answered; codes are those of JSON-RPC 2.0 and of ACP (-32000). */
export class RpcError extends Error {
  override readonly name = "RpcError"
  readonly code: number
  readonly data: JsonObject | undefined

  constructor(code: number, message: string, data?: JsonObject) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const methodNotFound = (method: string) => new RpcError(-32601, `"Method not found": ${method}`, { method })
export const invalidParams = (message: string) => new RpcError(-32602, "Invalid params", { message })
export const internalError = (details: string) => new RpcError(-32603, "Internal error", { details })
export const authenticationRequired = () => new RpcError(-32000, "Authentication required")
