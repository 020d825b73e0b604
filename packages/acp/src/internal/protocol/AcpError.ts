/** Errors of a call, beside an error response (`RpcError`) and an ended connection (`ConnectionClosed`). */
import * as Schema from "effect/Schema"
import { AuthMethod } from "../generated/v1.ts"
import { type ConnectionClosed, RpcError } from "../rpc/JsonRpc.ts"

/** The call was not sent: the other side has not offered this capability. */
export class CapabilityMissing extends Schema.TaggedError<CapabilityMissing>()("CapabilityMissing", {
  method: Schema.String,
  /** The name of the capability in the protocol, e.g. `sessionCapabilities.resume`. */
  capability: Schema.String
}) {
  override get message(): string {
    return `${this.method} needs ${this.capability}, which the other side does not offer`
  }
}

/** The call was not sent: the protocol forbids it. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  method: Schema.String,
  message: Schema.String
}) {}

/** The response has a result that breaks the protocol, even when read leniently. */
export class MalformedResult extends Schema.TaggedError<MalformedResult>()("MalformedResult", {
  method: Schema.String,
  message: Schema.String,
  result: Schema.Unknown
}) {}

/**
 * The agent supports no protocol version that the client supports (ACP v1, initialization). The connection is closed.
 */
export class UnsupportedVersion extends Schema.TaggedError<UnsupportedVersion>()("UnsupportedVersion", {
  offered: Schema.Finite,
  supported: Schema.Array(Schema.Finite)
}) {
  override get message(): string {
    return `The agent speaks protocol version ${this.offered}; supported: ${this.supported.join(", ")}`
  }
}

/**
 * The agent answered -32000: it needs a sign-in first (ACP v1, authentication). An `RpcError` with the methods for
 * signing in. Recognise it by `instanceof`.
 */
export class AuthRequired extends RpcError.extend<AuthRequired>("AuthRequired")({
  /** The method of the call that got this error. */
  method: Schema.String,
  /** The methods that the agent offered at `initialize`. Empty if it offered none. */
  authMethods: Schema.Array(AuthMethod)
}) {}

/**
 * The agent answered -32601 to a method whose capability it advertises. Another call of it fails, too. Recognise it by
 * `instanceof`.
 */
export class NotServed extends RpcError.extend<NotServed>("NotServed")({
  method: Schema.String,
  /** The name of the capability in the protocol, e.g. `nes`. */
  capability: Schema.String
}) {}

/** The failures of a call. An agent's `RpcError` with code -32000 is always an `AuthRequired`. */
export type RequestFailure = RpcError | ConnectionClosed | CapabilityMissing | InvalidRequest | MalformedResult
