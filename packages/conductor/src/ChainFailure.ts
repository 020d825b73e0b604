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
 * - `Flooded`: it wrote so much more than its successor reads that no more is kept.
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

/**
 * A component that took too long to answer its initialization.
 *
 * @param component undefined if it is not known which one
 */
export const silent = (component: { readonly name: string; readonly isProxy: boolean } | undefined): ChainFailure => {
  const hint = component?.isProxy === true ? " If it is an older proxy, set its proxyDialect." : ""
  return new ChainFailure({
    reason: "Silent",
    message: `${component?.name ?? "The chain"} did not answer its initialization in time.${hint}`,
    ...(component !== undefined && { component: component.name })
  })
}

/** A component that wrote more than its successor reads. `successor`: its name, as far as it has one here. */
export const flooded = (component: string, successor: string): ChainFailure =>
  new ChainFailure({
    reason: "Flooded",
    component,
    message: `${component} wrote more than ${successor} reads: over ${mostWaiting / 1024 ** 2} MiB wait for it.`
  })

/** Characters that may wait for one component: two of the longest messages. Whoever passes more on floods the chain. */
export const mostWaiting = 64 * 1024 ** 2
