/** What the settings of an agent allow it, as one of its sessions has it; and what a later session has beyond that. */
import * as Schema from "effect/Schema"
import { PermissionProfile } from "./Provider.ts"

export const Grants = Schema.Struct({
  permissions: PermissionProfile,
  files: Schema.Literals(["off", "read", "write"]),
  hardLinks: Schema.Boolean,
  terminals: Schema.Boolean,
  /** Whether it has our whole environment. */
  environment: Schema.Boolean
})
export type Grants = typeof Grants.Type

/** In words: what `after` allows that `before` did not. Empty where it allows no more. */
export const added = (before: Grants, after: Grants): ReadonlyArray<string> => [
  ...(before.permissions === "ask" && after.permissions !== "ask" ? ["reading and searching without asking you"] : []),
  ...(before.files === "off" && after.files !== "off" ? ["having Signalbox read files"] : []),
  ...(before.files !== "write" && after.files === "write" ? ["having Signalbox write files"] : []),
  ...(!before.hardLinks && after.hardLinks ? ["files that have several names"] : []),
  ...(!before.terminals && after.terminals ? ["having Signalbox run programs"] : []),
  ...(!before.environment && after.environment ? ["your whole environment"] : [])
]
