/**
 * Cursor's own form of sub-agent updates, sent to clients that offer `_meta.subagents`: `subagent_spawned` and
 * `subagent_state_update` on the parent's session. They are read as the protocol's `subagent_update`.
 */
import * as Predicate from "effect/Predicate"

type JsonObject = { readonly [key: PropertyKey]: unknown }

/** The update in the protocol's form. Undefined for any other kind of update. */
export const standard = (update: JsonObject): JsonObject | undefined => {
  switch (update["sessionUpdate"]) {
    case "subagent_spawned":
      return {
        ...common(update),
        ...text("title", update["name"]),
        ...text("description", update["task"]),
        ...(Predicate.isObject(update["capabilities"]) && { capabilities: update["capabilities"] }),
        state: { state: "running" }
      }
    case "subagent_state_update":
      return { ...common(update), ...(typeof update["state"] === "string" && { state: stateOf(update["state"]) }) }
    default:
      return undefined
  }
}

const common = ({ _meta, subagentSessionId }: JsonObject) => ({
  sessionUpdate: "subagent_update",
  sessionId: subagentSessionId,
  ...(Predicate.isObject(_meta) && { _meta })
})

const text = (name: string, value: unknown): JsonObject =>
  typeof value === "string" && value !== "" ? { [name]: value } : {}

/** The state in the protocol's form. A disconnected sub-agent counts as unfinished, since nothing shows its end. */
const stateOf = (state: string): JsonObject => {
  switch (state) {
    case "completed":
      return { state: "idle", stopReason: "end_turn" }
    case "cancelled":
      return { state: "idle", stopReason: "cancelled" }
    case "failed":
    case "disconnected":
      return { state: "idle", stopReason: "error" }
    default:
      return { state: "running" }
  }
}
