/** The version that an agent offers when it refuses the one that it was asked for (ACP, initialization). */
import * as Predicate from "effect/Predicate"
import type { RpcError } from "../rpc/JsonRpc.ts"

/** The versions that this package speaks, the latest first. */
export const spoken: ReadonlyArray<number> = [2, 1]

/** No version that the agent speaks is as low as the one that was asked for. */
const unsupportedProtocolVersion = -32022

/**
 * The version that an error offers: the highest that this package speaks too, else the highest. Undefined: the error is about
 * something else.
 */
export const offeredBy = ({ code, data }: RpcError): number | undefined => {
  if (code !== unsupportedProtocolVersion || !Predicate.isObject(data)) return undefined
  const { supported } = data
  if (!Array.isArray(supported)) return undefined
  const versions = supported.filter((version) => typeof version === "number")
  return (
    spoken.find((version) => versions.includes(version)) ?? (versions.length > 0 ? Math.max(...versions) : undefined)
  )
}
