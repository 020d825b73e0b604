/**
 * Messages as they stand on the wire. Parameters, results and errors are JSON text, which nobody reads who only passes it on: unknown
 * members, `null` and absent, and numbers of 64 bits stay what they are.
 */
import { ErrorCode, type RpcError } from "../rpc/JsonRpc.ts"
import { type Members, members } from "./JsonText.ts"
import * as ProxyDialect from "./ProxyDialect.ts"

/**
 * Whom a message comes from or goes to, seen from a proxy: `client` is the predecessor's side, `agent` the successor's. Between a proxy and
 * its conductor an envelope marks the side of the agent. A connection without a proxy knows `client` only.
 */
export type Side = "client" | "agent"

/** What a request and a notification say. `params` is JSON text, undefined if absent. */
export interface Said {
  readonly side: Side
  readonly method: string
  readonly params: string | undefined
}

/** `id` is the id as JSON text, digit by digit. */
export interface RawRequest extends Said {
  readonly _tag: "Request"
  readonly id: string
}

export interface RawNotification extends Said {
  readonly _tag: "Notification"
}

/** How a request ended: with a result or an error, each as JSON text. */
export type RawAnswer = { readonly result: string } | { readonly error: string }

export interface RawResponse {
  readonly _tag: "Response"
  readonly id: string
  readonly answer: RawAnswer
}

/** `$/cancel_request`: it belongs to one connection, and is never passed on. `id` is the id of the request, as JSON text. */
export interface RawCancel {
  readonly _tag: "Cancel"
  readonly id: string
}

export type RawMessage = RawRequest | RawNotification | RawResponse | RawCancel

/**
 * A line that is no message.
 *
 * - `text`: the line.
 * - `answer`: the error that its sender gets, with the id as JSON text, if one is due.
 */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly text: string
  readonly answer: { readonly id: string; readonly error: string } | undefined
}

/** An error as JSON text. */
export const errorText = ({ code, data, message }: Pick<RpcError, "code" | "data" | "message">): string =>
  JSON.stringify({ code, message, data })

/** The answer that holds an error. */
export const failed = (error: Pick<RpcError, "code" | "data" | "message">): RawAnswer => ({ error: errorText(error) })

const unreadable = (text: string, id?: string, code: number = ErrorCode.InvalidRequest, message = ""): Unreadable => ({
  _tag: "Unreadable",
  text,
  answer: id === undefined ? undefined : { id, error: errorText({ code, message }) }
})

/** The message in a line. */
export const read = (text: string): RawMessage | Unreadable => {
  const texts = members(text)
  if (texts === undefined)
    return isList(text) ? unreadable(text, "null", undefined, "Batches are not part of the protocol") : unreadable(text)
  const idText = texts.get("id")
  const id = isId(idText) ? idText : undefined
  const method = stringOf(texts.get("method"))
  if (method !== undefined) {
    if (id === undefined && idText !== undefined)
      return unreadable(text, "null", undefined, "An id is a string, a number or null")
    return said(text, id, method, texts.get("params"))
  }
  const answer = answerOf(texts)
  if (answer !== undefined) return { _tag: "Response", id: id ?? "null", answer }
  // Programs print JSON logs to standard output: an object without id and method asks for nothing.
  if (idText === undefined) return unreadable(text)
  return unreadable(text, id ?? "null", undefined, "Neither a request nor a response")
}

const isList = (text: string): boolean => {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

/** Whether this JSON text is a string, a number or `null`. */
const isId = (text: string | undefined): boolean => text !== undefined && /^["\d-]|^null$/.test(text)

/** The string that this JSON text is; undefined if it is none. */
const stringOf = (text: string | undefined): string | undefined => {
  if (text === undefined || !text.startsWith('"')) return undefined
  return text.includes("\\") ? String(JSON.parse(text)) : text.slice(1, -1)
}

const answerOf = (texts: Members): RawAnswer | undefined => {
  const error = texts.get("error")
  const result = texts.get("result")
  // Some libraries write `"error": null` beside a result.
  if (error !== undefined && (error !== "null" || result === undefined)) return { error }
  return result === undefined ? undefined : { result }
}

const said = (
  text: string,
  id: string | undefined,
  method: string,
  params: string | undefined
): RawMessage | Unreadable => {
  if (method === "$/cancel_request") return cancel(text, id, params)
  if (ProxyDialect.ofEnvelope(method) === undefined) return whole(id, "client", method, params)
  const inner = params === undefined ? undefined : members(params)
  const innerMethod = stringOf(inner?.get("method"))
  if (inner === undefined || innerMethod === undefined)
    return unreadable(text, id, ErrorCode.InvalidParams, `${method} needs an object with a method`)
  const innerParams = inner.get("params")
  if (innerParams !== undefined && !/^[[{n]/.test(innerParams))
    return unreadable(text, id, ErrorCode.InvalidParams, `The params of a message in ${method} are an object or a list`)
  return whole(id, "agent", innerMethod, innerParams)
}

const whole = (id: string | undefined, side: Side, method: string, params: string | undefined): RawMessage =>
  id === undefined ? { _tag: "Notification", side, method, params } : { _tag: "Request", id, side, method, params }

const cancel = (text: string, id: string | undefined, params: string | undefined): RawMessage | Unreadable => {
  const requestId = params === undefined ? undefined : members(params)?.get("requestId")
  if (id !== undefined) return unreadable(text, id, ErrorCode.InvalidRequest, "$/cancel_request is a notification")
  return requestId === undefined ? unreadable(text) : { _tag: "Cancel", id: requestId }
}

const field = (name: string, text: string | undefined): string => (text === undefined ? "" : `,"${name}":${text}`)

/** A message as a line, without the newline. */
export const write = (message: RawMessage, dialect: ProxyDialect.ProxyDialect): string => {
  if (message._tag === "Response") {
    const { answer, id } = message
    return "result" in answer
      ? `{"jsonrpc":"2.0","id":${id},"result":${answer.result}}`
      : `{"jsonrpc":"2.0","id":${id},"error":${answer.error}}`
  }
  if (message._tag === "Cancel")
    return `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":${message.id}}}`
  const { method, params, side } = message
  const isRequest = message._tag === "Request"
  const head = isRequest ? `{"jsonrpc":"2.0","id":${message.id},"method":` : `{"jsonrpc":"2.0","method":`
  const body = `${JSON.stringify(method)}${field("params", params)}`
  if (side === "client") return `${head}${body}}`
  return `${head}"${ProxyDialect.envelopeMethod(dialect, isRequest)}","params":{"method":${body}}}`
}
