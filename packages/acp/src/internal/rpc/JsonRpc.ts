/** JSON-RPC 2.0 as the Agent Client Protocol uses it: one object per message, no batches. */
import * as Schema from "effect/Schema"
import { TransportError } from "./Transport.ts"

/**
 * A request id in JavaScript. A number above 2^53 is rounded here, but the peer answers with the digits of the wire.
 */
export type RequestId = string | number | null

/** Error codes (JSON-RPC 2.0 §5.1 and ACP v1, error). Any other int32 is allowed and is a generic failure. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  RequestCancelled: -32800,
  AuthRequired: -32000,
  ResourceNotFound: -32002
} as const

/** The error of a response: from the other side, or from a handler of this side. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Finite,
  message: Schema.String,
  /** Any JSON. Missing if it was missing on the wire. */
  data: Schema.optionalKey(Schema.Unknown),
  /** Set if this side made the error, since the answer of the other side could not be read. Never on the wire. */
  unread: Schema.optionalKey(Schema.Literal(true))
}) {
  static methodNotFound(method: string): RpcError {
    return new RpcError({ code: ErrorCode.MethodNotFound, message: `Method not found: ${method}` })
  }

  static invalidParams(message: string): RpcError {
    return new RpcError({ code: ErrorCode.InvalidParams, message })
  }

  static internal(message: string): RpcError {
    return new RpcError({ code: ErrorCode.InternalError, message })
  }
}

/**
 * The connection has ended, so waiting calls get no response.
 *
 * - `InputEnded`: the other side closed its output.
 * - `ReadFailed`, `WriteFailed`: the transport broke.
 * - `Closed`: this side closed it.
 */
export class ConnectionClosed extends Schema.TaggedError<ConnectionClosed>()("ConnectionClosed", {
  reason: Schema.Literals(["InputEnded", "ReadFailed", "WriteFailed", "Closed"]),
  message: Schema.String,
  /** The transport's error, for a connection to a remote agent. */
  transport: Schema.optionalKey(TransportError)
}) {}

/** Why a call has no result: an error response, or the end of the connection. */
export type CallFailure = RpcError | ConnectionClosed

/** A request from the other side. `line` is its number on the wire, counted over both directions from 1. */
export interface Request {
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
  readonly line: number
}

/** A notification from the other side. */
export interface Notification {
  readonly method: string
  readonly params: unknown
  readonly line: number
}

/** An error that the connection survived. `line`: its number on the wire. */
export type Issue =
  /** Not JSON, or JSON that is no message: a banner, a log line. */
  | { readonly _tag: "Noise"; readonly line: number; readonly text: string }
  /** A line above the limit, which was skipped. It has no line number, since it is on no tape. */
  | { readonly _tag: "OversizedLine"; readonly head: string }
  /** A message nested deeper than `Nesting.deepest`, which was not read. Its waiting caller gets an error. */
  | { readonly _tag: "DeepMessage"; readonly line: number; readonly head: string }
  /** JSON-RPC that breaks its own rules. `answered`: whether an error response was sent. */
  | { readonly _tag: "InvalidMessage"; readonly line: number; readonly message: unknown; readonly answered: boolean }
  /** A response that nobody waits for: unknown id, answered before, or an error without an id. */
  | { readonly _tag: "StrayResponse"; readonly line: number; readonly message: unknown }
  /** Code of this side threw while it handled a message. The connection continues. */
  | { readonly _tag: "HandlerDefect"; readonly method: string | undefined; readonly message: string }
