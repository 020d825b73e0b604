/** Why a chain could not be started, or ended before its client wanted that. */
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as Schema from "effect/Schema"

/**
 * What was wrong.
 *
 * - `NotStarted`: the component could not be started.
 * - `NotAProxy`: it knows no request that initializes a proxy.
 * - `NotForwarded`: a proxy answered its initialization before it had initialized its successor.
 * - `VersionChanged`: a proxy answered another protocol version than its successor, or asked its successor for a higher one.
 * - `Silent`: it neither answered its initialization nor passed it on, within the time limit.
 * - `Refused`: it answered its initialization with an error, which the client gets as it stands.
 * - `Ended`: its connection ended while it was needed.
 * - `Flooded`: it wrote so much more than is read that no more is kept. Without a component, somebody outside of the chain did.
 * - `NamedTwice`: two components of the chain have the same name.
 * - `Misused`: the first request of the client was another one than `initialize`.
 */
const Reason = Schema.Literals([
  "NotStarted",
  "NotAProxy",
  "NotForwarded",
  "VersionChanged",
  "Silent",
  "Refused",
  "Ended",
  "Flooded",
  "NamedTwice",
  "Misused"
])

export class ChainFailure extends Schema.TaggedError<ChainFailure>()("ChainFailure", {
  reason: Reason,
  /** The name of the component that failed: the command of a program, as it was given. Absent where no component did. */
  component: Schema.optionalKey(Schema.String),
  /** A sentence that names the component and the cause. */
  message: Schema.String,
  /** The component's process, if it has ended by itself. */
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  /** The last lines that the component wrote to standard error, oldest first, without secrets. */
  stderrTail: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  /** The error that waiting requests get: -32600 for misuse, else -32603. Its data hold all that is known, but for the message. */
  get rpcError(): RpcError {
    const { component, exitCode, reason, signal, stderrTail } = this
    return new RpcError({
      code: reason === "Misused" ? ErrorCode.InvalidRequest : ErrorCode.InternalError,
      message: this.message,
      // Absent members are left out when this becomes JSON.
      data: { reason, component, exitCode, signal, stderrTail }
    })
  }
}
