/**
 * Messages as they stand on the wire. Parameters, results and errors are JSON text, which nobody reads who only passes it on: unknown
 * members, `null` and absent, and numbers of 64 bits stay what they are.
 */
import { classifyEnds } from "../rpc/Incoming.ts"
import { ErrorCode, type RpcError } from "../rpc/JsonRpc.ts"
import { headBytes } from "../rpc/LineSplitter.ts"
import { members } from "./JsonText.ts"
import { MessageParts } from "./MessageParts.ts"
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

/** What an error says. */
export type Refusal = Pick<RpcError, "code" | "data" | "message">

/**
 * A line that is no message.
 *
 * - `text`: the line.
 * - `answer`: the error that its sender gets, with the id as JSON text, if one is due.
 * - `settles`: the end of our own request, if the line looks like its response. If the request waits, its sender gets no answer.
 */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly text: string
  readonly answer: { readonly id: string; readonly error: Refusal } | undefined
  readonly settles?: RawResponse | undefined
}

/** An error as JSON text. */
export const errorText = ({ code, data, message }: Refusal): string => JSON.stringify({ code, message, data })

/** The answer that holds an error. */
export const failed = (error: Refusal): RawAnswer => ({ error: errorText(error) })

/** A response that can't be read, in the place of its answer. */
export const brokenResponse = (id: string, how: string): RawResponse => ({
  _tag: "Response",
  id,
  answer: failed({ code: ErrorCode.InvalidRequest, message: `The response ${how}` })
})

/** A line that was not read. Whoever waits for it gets an error, as far as its ends name them. */
export const unread = (text: string, code: number, how: string, tail = ""): Unreadable => {
  const concerned = classifyEnds(text.slice(0, headBytes), tail)
  if (concerned === undefined) return unreadable(text)
  const { _tag, idText: id } = concerned
  return _tag === "Response"
    ? { ...unreadable(text), settles: brokenResponse(id, how) }
    : unreadable(text, id, code, `The message ${how}`)
}

/** A line that is too long, of which only the beginning is there, and maybe the end. */
export const tooLong = (head: string, tail?: string): Unreadable =>
  unread(head, ErrorCode.InvalidRequest, "is too long", tail)

const unreadable = (text: string, id?: string, code: number = ErrorCode.InvalidRequest, message = ""): Unreadable => ({
  _tag: "Unreadable",
  text,
  answer: id === undefined ? undefined : { id, error: { code, message } }
})

/** The message in a line, which may be a part of a longer text: what stands between two places. */
export const read = (text: string, from = 0, to = text.length): RawMessage | Unreadable => {
  const parts = MessageParts.read(text, from, to)
  if (parts === undefined) return noObject(text.slice(from, to))
  const { id: idText, method: methodText, params } = parts
  const id = isId(idText) ? idText : undefined
  const method = stringOf(methodText)
  if (method !== undefined) {
    if (id === undefined && idText !== undefined)
      return unreadable(text.slice(from, to), "null", undefined, "An id is a string, a number or null")
    return isOfHop(method) ? ofHop(text.slice(from, to), id, method, params) : whole(id, "client", method, params)
  }
  const answer = answerOf(parts)
  if (answer !== undefined) return { _tag: "Response", id: id ?? "null", answer }
  // Programs print JSON logs to standard output: an object without id and method asks for nothing.
  if (idText === undefined) return unreadable(text.slice(from, to))
  const neither = unreadable(text.slice(from, to), id ?? "null", undefined, "Neither a request nor a response")
  return id === undefined || methodText !== undefined
    ? neither
    : { ...neither, settles: brokenResponse(id, "is empty") }
}

const noObject = (line: string): Unreadable =>
  isList(line) ? unreadable(line, "null", undefined, "Batches are not part of the protocol") : unreadable(line)

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

const answerOf = ({ error, result }: MessageParts): RawAnswer | undefined => {
  // Some libraries write `"error": null` beside a result.
  if (error !== undefined && (error !== "null" || result === undefined)) return { error }
  return result === undefined ? undefined : { result }
}

/** Whether a method belongs to one connection, and is not for who is behind it. */
const isOfHop = (method: string): boolean =>
  method === "$/cancel_request" || ProxyDialect.ofEnvelope(method) !== undefined

const ofHop = (
  text: string,
  id: string | undefined,
  method: string,
  params: string | undefined
): RawMessage | Unreadable => {
  if (method === "$/cancel_request") return cancel(text, id, params)
  const inner = params === undefined ? undefined : MessageParts.read(params, 0, params.length)
  const innerMethod = stringOf(inner?.method)
  if (inner === undefined || innerMethod === undefined)
    return unreadable(text, id, ErrorCode.InvalidParams, `${method} needs an object with a method`)
  const innerParams = inner.params
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
  const head = isRequest ? `{"jsonrpc":"2.0","id":${message.id},"method":` : '{"jsonrpc":"2.0","method":'
  const end = side === "client" ? "}" : "}}"
  const envelope = side === "client" ? "" : `"${ProxyDialect.envelopeMethod(dialect, isRequest)}","params":{"method":`
  return params === undefined
    ? `${head}${envelope}${quoted(method)}${end}`
    : `${head}${envelope}${quoted(method)},"params":${params}${end}`
}

/** The method that was written last, and its text: most messages that follow each other have the same one. */
let lastMethod = ""
let lastQuoted = '""'

const quoted = (method: string): string => {
  if (method !== lastMethod) {
    lastQuoted = JSON.stringify(method)
    lastMethod = method
  }
  return lastQuoted
}
