/** Reads Cursor's reports about its sub-agents. */
import * as Predicate from "effect/Predicate"

/**
 * Milliseconds below which a duration is only that of a launch into the background, about 200 on the wire. No
 * sub-agent's model answers sooner. Cursor does not report the end of such a sub-agent.
 */
const shortestWork = 1_000

export const isLaunchOnly = (durationMs: number | undefined): boolean =>
  durationMs !== undefined && durationMs < shortestWork

/**
 * The call that started a sub-agent, from the `_meta` of its announcement: `{ cursor: { toolCallId, agentId, model }
 * }`.
 */
export const callIn = (meta: unknown): string | undefined => {
  const cursor = Predicate.isObject(meta) ? meta["cursor"] : undefined
  const toolCallId = Predicate.isObject(cursor) ? cursor["toolCallId"] : undefined
  return typeof toolCallId === "string" && toolCallId !== "" ? toolCallId : undefined
}

/**
 * A sub-agent's name for people. `explore`, `{ custom: "reviewer" }` and `{ custom: { unspecified: {} } }` were seen on
 * the wire.
 */
export const nameOf = (type: unknown): string => {
  const name = typeName(type)
  return name === undefined || name === "" || name === "unspecified" ? "Sub-agent" : name.replaceAll("_", " ")
}

const typeName = (type: unknown): string | undefined => {
  if (typeof type === "string") return type
  if (!Predicate.isObject(type)) return undefined
  const [key, value] = Object.entries(type)[0] ?? []
  if (key === "custom") return typeName(value)
  return key
}
