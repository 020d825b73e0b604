/** Reads the parameters of a `cursor/*` method. It is lenient if nothing is lost, and refuses the call otherwise. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Lenient from "@signalbox/acp/Lenient"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { ExtensionContext } from "../../../acp/profile/AgentProfile.ts"

/** Most characters of a malformed message in a warning. */
const longestDetail = 2_000

const compact = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, longestDetail)

/**
 * Makes the reader of a method's parameters. What cannot do without a malformed part fails with −32602, never with −32601:
 * Cursor takes the latter for a client that lacks the method, and then accepts its own plan.
 */
export const reader = <A>(method: string, schema: Schema.Codec<A, unknown>) => {
  const read = Lenient.reader(schema)
  return (params: unknown, context: ExtensionContext): Effect.Effect<A, RpcError> => {
    const result = read(params)
    if (Result.isFailure(result)) return malformed(method, result.failure, params, context)
    const lost = result.success.dropped.filter(({ value }) => value !== null)
    const value = Effect.succeed(result.success.value)
    if (lost.length === 0) return value
    const paths = lost.map(({ path }) => path).join(", ")
    return Effect.andThen(
      context.warn(`Cursor sent ${method} with parts that we could not read: ${paths}.`, compact(params)),
      value
    )
  }
}

/** Refuses a request, and warns people with the reason. */
export const malformed = (
  method: string,
  reason: string,
  params: unknown,
  context: ExtensionContext
): Effect.Effect<never, RpcError> => {
  const line = reason.replace(/\s+/g, " ").trim()
  return Effect.andThen(
    context.warn(`Cursor sent ${method} in a form that we could not read, so it was refused: ${line}`, compact(params)),
    Effect.fail(RpcError.invalidParams(`${method}: ${line}`))
  )
}
