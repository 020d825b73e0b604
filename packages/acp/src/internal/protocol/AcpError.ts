/** What can go wrong with a request, beside the answer being an error (`RpcError`) or never coming (`ConnectionClosed`). */
import * as Schema from "effect/Schema"
import { AuthMethod } from "../generated/v1.ts"
import { type ConnectionClosed, RpcError } from "../rpc/JsonRpc.ts"

/** Refused here, nothing was sent: the other side has not said that it can do this. */
export class CapabilityMissing extends Schema.TaggedError<CapabilityMissing>()("CapabilityMissing", {
  method: Schema.String,
  /** The name of the capability in the protocol, e.g. `sessionCapabilities.resume`. */
  capability: Schema.String
}) {
  override get message(): string {
    return `${this.method} needs ${this.capability}, which the other side does not offer`
  }
}

/** Refused here, nothing was sent: the protocol forbids this request. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  method: Schema.String,
  message: Schema.String
}) {}

/** The answer came and is not what the protocol says, even read leniently. */
export class MalformedResult extends Schema.TaggedError<MalformedResult>()("MalformedResult", {
  method: Schema.String,
  message: Schema.String,
  result: Schema.Unknown
}) {}

/** The agent speaks no version that we speak (ACP v1, initialization). The connection is of no use, and is closed. */
export class UnsupportedVersion extends Schema.TaggedError<UnsupportedVersion>()("UnsupportedVersion", {
  offered: Schema.Finite,
  supported: Schema.Array(Schema.Finite)
}) {
  override get message(): string {
    return `The agent speaks protocol version ${this.offered}; supported: ${this.supported.join(", ")}`
  }
}

/**
 * The agent's answer is -32000: it wants a login first (ACP v1, authentication). An `RpcError` like any other, with what one
 * needs to log in; tell it by `instanceof`.
 */
export class AuthRequired extends RpcError.extend<AuthRequired>("AuthRequired")({
  /** The request that was answered so. */
  method: Schema.String,
  /** What the agent offered at `initialize`; empty when it offered nothing. */
  authMethods: Schema.Array(AuthMethod)
}) {}

/** An `RpcError` with code -32000 that an agent answered is an `AuthRequired`. */
export type RequestFailure = RpcError | ConnectionClosed | CapabilityMissing | InvalidRequest | MalformedResult
