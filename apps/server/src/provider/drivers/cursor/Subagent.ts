/** What Cursor says about the agents that it starts itself. */
import * as Predicate from "effect/Predicate"

/**
 * No sub-agent's model answers within this time, in milliseconds: a shorter duration is that of a launch into the background (around 200 ms
 * on the wire). Cursor says nothing of the end of one.
 */
const shortestWork = 1_000

export const isLaunchOnly = (durationMs: number | undefined): boolean =>
  durationMs !== undefined && durationMs < shortestWork

/** The call that started one, in the `_meta` of its announcement: `{ cursor: { toolCallId, agentId, model } }`. */
export const callIn = (meta: unknown): string | undefined => {
  const cursor = Predicate.isObject(meta) ? meta["cursor"] : undefined
  const toolCallId = Predicate.isObject(cursor) ? cursor["toolCallId"] : undefined
  return typeof toolCallId === "string" && toolCallId !== "" ? toolCallId : undefined
}

/** The name for people: `explore`, `{ custom: "reviewer" }` and `{ custom: { unspecified: {} } }` are all on record. */
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
