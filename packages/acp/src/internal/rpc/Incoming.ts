/** Classifies a line from the other side. */
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { ErrorCode, type Notification, type RequestId, RpcError } from "./JsonRpc.ts"

/**
 * A classified line.
 * - `Request.idText`, `Cancel.idText`: the id as JSON, with the digits of the wire.
 * - `Invalid.answer`: the error to send, if one is due.
 */
export type Incoming =
  | (Notification & { readonly _tag: "Notification" })
  | {
      readonly _tag: "Request"
      readonly id: RequestId
      readonly idText: string
      readonly method: string
      readonly params: unknown
    }
  | { readonly _tag: "Response"; readonly id: unknown; readonly exit: Exit.Exit<unknown, RpcError> }
  | { readonly _tag: "Cancel"; readonly idText: string }
  | { readonly _tag: "Invalid"; readonly answer: { readonly idText: string; readonly error: RpcError } | undefined }
  | { readonly _tag: "Noise" }

const invalid = (message: string, idText = "null"): Incoming => ({
  _tag: "Invalid",
  answer: { idText, error: new RpcError({ code: ErrorCode.InvalidRequest, message }) }
})

const isRequestId = (value: unknown): value is RequestId =>
  value === null || typeof value === "string" || typeof value === "number"

/** The notification that cancels a request of its sender. */
export interface Cancellation {
  readonly method: string
  /** The member of its parameters that holds the id of the request. */
  readonly idMember: string
}

/** How the Agent Client Protocol cancels a request. */
export const acpCancellation: Cancellation = { method: "$/cancel_request", idMember: "requestId" }

/** The id with the digits of the wire. `JSON.parse` rounds a number above 2^53, so the line's text is read again. */
const idText = (id: RequestId, holderIn: "message" | "params", name: string, line: string): string => {
  if (typeof id !== "number" || Number.isSafeInteger(id)) return JSON.stringify(id)
  const sources = new Map<unknown, string>()
  const root: unknown = JSON.parse(
    line,
    function (this: unknown, key: string, value: unknown, context?: { source?: string }) {
      if (key === name && context?.source !== undefined) sources.set(this, context.source)
      return value
    }
  )
  const holder = holderIn === "message" || !Predicate.isObject(root) ? root : root["params"]
  return sources.get(holder) ?? JSON.stringify(id)
}

const failure = (error: unknown): RpcError => {
  if (!Predicate.isObject(error)) return RpcError.internal(`Malformed error: ${JSON.stringify(error)}`)
  const { code, data, message } = error
  return new RpcError({
    code: typeof code === "number" ? code : ErrorCode.InternalError,
    message: typeof message === "string" ? message : `Malformed error: ${JSON.stringify(error)}`,
    ...(data === undefined ? {} : { data })
  })
}

/**
 * Classifies a parsed line. `line`: its number on the wire; `text`: its source.
 *
 * An object without a method, result and error is noise, since agents print JSON logs. With an id it gets an error
 * response, since its sender may wait.
 */
export const classify = (
  message: unknown,
  text: string,
  line: number,
  cancellation: Cancellation = acpCancellation
): Incoming => {
  if (Array.isArray(message)) return invalid("Batches are not part of the protocol")
  if (!Predicate.isObject(message)) return { _tag: "Noise" }
  const { id, method, params } = message
  if (typeof method === "string") {
    if (id === undefined) {
      if (method !== cancellation.method) return { _tag: "Notification", method, params, line }
      const { idMember } = cancellation
      const cancelled = Predicate.isObject(params) ? params[idMember] : undefined
      if (!isRequestId(cancelled)) return { _tag: "Invalid", answer: undefined }
      return { _tag: "Cancel", idText: idText(cancelled, "params", idMember, text) }
    }
    if (!isRequestId(id)) return invalid("An id is a string, a number or null")
    return { _tag: "Request", id, idText: idText(id, "message", "id", text), method, params }
  }
  if (Predicate.isObject(message["error"])) return { _tag: "Response", id, exit: Exit.fail(failure(message["error"])) }
  if ("result" in message) return { _tag: "Response", id, exit: Exit.succeed(message["result"]) }
  if ("error" in message) return { _tag: "Response", id, exit: Exit.fail(failure(message["error"])) }
  if (id === undefined) return { _tag: "Noise" }
  return invalid("Neither a request nor a response", isRequestId(id) ? idText(id, "message", "id", text) : "null")
}

const beginning =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(method|result|error)"/

/**
 * Who waits for a message that was not read: our caller for a response, or the other side for the answer to a request.
 */
export interface Concerned {
  readonly _tag: "Request" | "Response"
  readonly idText: string
}

/** Finds who waits for a message, from its outermost members only. */
export const classifyOutermost = (message: unknown): Concerned | undefined => {
  const { id, method } = Predicate.isObject(message) ? message : {}
  if (typeof id !== "number" && typeof id !== "string") return undefined
  return { _tag: typeof method === "string" ? "Request" : "Response", idText: JSON.stringify(id) }
}

/**
 * Finds who waits for a line that was too long to read, from its beginning. That is our caller for a response, or the
 * other side for the answer to a request.
 */
export const classifyBeginning = (head: string): Concerned | undefined => {
  const [, idText, key] = beginning.exec(head) ?? []
  return idText === undefined ? undefined : { _tag: key === "method" ? "Request" : "Response", idText }
}

const ending = /"id"\s*:\s*(-?\d+|"[^"\\]*")\s*\}\s*$/
const firstMember = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(method|params|result|error)"/

/**
 * Finds who waits for a line that was too long to read, from both its ends. Some programs write the id as the last member: what stands
 * directly before the last brace belongs to the outermost object.
 */
export const classifyEnds = (head: string, tail: string): Concerned | undefined => {
  const known = classifyBeginning(head)
  const [, idText] = ending.exec(tail) ?? []
  const [, first] = firstMember.exec(head) ?? []
  if (known !== undefined || idText === undefined || first === undefined) return known
  return { _tag: first === "method" || first === "params" ? "Request" : "Response", idText }
}
