/** JSON-RPC 2.0 as the Agent Client Protocol uses it: one object per message, no batches. */
import * as Schema from "effect/Schema"
import { TransportError } from "./Transport.ts"

/**
 * An id as JavaScript sees it. A number beyond 2^53 is rounded here; the peer answers with the digits that stood on
 * the wire all the same.
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

/** The error half of a response: what the other side answered, or what a handler wants to be answered. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Finite,
  message: Schema.String,
  /** Any JSON; absent when it was absent on the wire. */
  data: Schema.optionalKey(Schema.Unknown)
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
 * The connection is over; a call that was waiting has no answer and will get none.
 *
 * - `InputEnded`: the other side closed its output.
 * - `ReadFailed`, `WriteFailed`: the transport broke.
 * - `Closed`: this side closed it.
 */
export class ConnectionClosed extends Schema.TaggedError<ConnectionClosed>()("ConnectionClosed", {
  reason: Schema.Literals(["InputEnded", "ReadFailed", "WriteFailed", "Closed"]),
  message: Schema.String,
  /** What broke, of a connection to an agent that runs elsewhere. */
  transport: Schema.optionalKey(TransportError)
}) {}

/** Why a call has no result: the other side answered with an error, or can't answer any more. */
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

/** Something that was not as it should be and that was survived. `line` is its number on the wire. */
export type Issue =
  /** Not JSON, or JSON that is no message: a banner, a log line. */
  | { readonly _tag: "Noise"; readonly line: number; readonly text: string }
  /** Longer than the limit, skipped. It has no line number: it is on no tape. */
  | { readonly _tag: "OversizedLine"; readonly head: string }
  /** Nested deeper than `Nesting.deepest`, and not read. Whoever waits for it is told. */
  | { readonly _tag: "DeepMessage"; readonly line: number; readonly head: string }
  /** JSON-RPC that breaks its own rules; `answered` tells whether an error was sent back. */
  | { readonly _tag: "InvalidMessage"; readonly line: number; readonly message: unknown; readonly answered: boolean }
  /** A response to nothing that is waiting: unknown id, answered before, or an error without an id. */
  | { readonly _tag: "StrayResponse"; readonly line: number; readonly message: unknown }
  /** Code on this side threw while it handled a message; the connection goes on. */
  | { readonly _tag: "HandlerDefect"; readonly method: string | undefined; readonly message: string }
