/** The rights that an agent's settings grant to a session, and the difference between two sessions. */
import * as Schema from "effect/Schema"
import { PermissionProfile } from "./Provider.ts"

export const Grants = Schema.Struct({
  permissions: PermissionProfile,
  /** Set if the thread was given these permissions at its start: changes of the settings don't count for it. */
  ownPermissions: Schema.optionalKey(Schema.Literal(true)),
  files: Schema.Literals(["off", "read", "write"]),
  hardLinks: Schema.Boolean,
  terminals: Schema.Boolean,
  /** Whether the agent gets our whole environment. */
  environment: Schema.Boolean
})
export type Grants = typeof Grants.Type

const reads = "reading and searching without asking you"
const edits = "changing files in its folders without asking you"

/** What a profile allows without asking anybody. */
const unasked: Readonly<Record<PermissionProfile, ReadonlyArray<string>>> = {
  ask: [],
  "allow-reads": [reads],
  "read-only": [reads],
  edits: [reads, edits],
  bypass: [reads, edits, "everything that no rule denies, without asking you"]
}

/** The rights that `after` has and `before` did not, as texts. Empty if there are none. */
export const added = (before: Grants, after: Grants): ReadonlyArray<string> => [
  ...unasked[after.permissions].filter((text) => !unasked[before.permissions].includes(text)),
  ...(before.files === "off" && after.files !== "off" ? ["having Signalbox read files"] : []),
  ...(before.files !== "write" && after.files === "write" ? ["having Signalbox write files"] : []),
  ...(!before.hardLinks && after.hardLinks ? ["files that have several names"] : []),
  ...(!before.terminals && after.terminals ? ["having Signalbox run programs"] : []),
  ...(!before.environment && after.environment ? ["your whole environment"] : [])
]
