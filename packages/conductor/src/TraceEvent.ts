/**
 * One line of a trace: a message that one component of a chain has sent to its neighbour.
 *
 * The format is that of the reference conductor (Rust, `agent-client-protocol-conductor` 5), and its viewer reads ours.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The protocol of a message; `mcp` if it passed inside `mcp/message`. */
export const TraceProtocol = Schema.Literals(["acp", "mcp"])
export type TraceProtocol = typeof TraceProtocol.Type

const hop = {
  /** Seconds since the trace began, by a clock that never goes back. */
  ts: Schema.Finite,
  /** `Client`, `Proxy(0)` and so on, or `Agent`: in proxy mode, the successor of the chain. */
  from: Schema.String,
  to: Schema.String
}

const said = {
  protocol: TraceProtocol,
  method: Schema.String,
  /** The session, where the parameters name one. */
  session: Schema.optionalKey(Schema.String),
  params: Schema.Unknown
}

export const TraceRequest = Schema.Struct({
  type: Schema.tag("request"),
  ...hop,
  /** The response has the same one. */
  id: Schema.Union([Schema.String, Schema.Finite, Schema.Null]),
  ...said
})
export type TraceRequest = typeof TraceRequest.Type

export const TraceResponse = Schema.Struct({
  type: Schema.tag("response"),
  ...hop,
  id: TraceRequest.fields.id,
  is_error: Schema.Boolean,
  /** Whose error it is: that of the message itself, or that of the MCP message in it. */
  error_domain: Schema.optionalKey(Schema.NullOr(TraceProtocol)),
  /** The result, or the error. */
  payload: Schema.Unknown
})
export type TraceResponse = typeof TraceResponse.Type

export const TraceNotification = Schema.Struct({ type: Schema.tag("notification"), ...hop, ...said })
export type TraceNotification = typeof TraceNotification.Type

export const TraceEvent = Schema.Union([TraceRequest, TraceResponse, TraceNotification])
export type TraceEvent = typeof TraceEvent.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(TraceEvent))

/** The event of a line; undefined if it is none. Members that are not known are left out. */
export const read = (line: string): TraceEvent | undefined => Option.getOrUndefined(decode(line))
