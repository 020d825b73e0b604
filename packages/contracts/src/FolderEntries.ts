/** What a folder of a thread holds, as the tree of files in the page shows it. */
import * as Schema from "effect/Schema"
import { Problem } from "./Problem.ts"

/** The most entries of a folder that are listed. */
export const mostEntries = 2000

/** `kind`: what it leads to, if it is a link. `other`: it can't be opened: a pipe, or a link that leads out. */
export const FolderEntry = Schema.Struct({
  name: Schema.String,
  kind: Schema.Literals(["folder", "file", "other"]),
  isLink: Schema.optionalKey(Schema.Literal(true)),
  /** Whether git ignores it. */
  isIgnored: Schema.optionalKey(Schema.Literal(true))
})
export type FolderEntry = typeof FolderEntry.Type

/** `entries`: folders first, then by name. `isCut`: there are more than these. */
export const FolderFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("entries"), entries: Schema.Array(FolderEntry), isCut: Schema.Boolean }),
  Schema.Struct({ type: Schema.tag("refused"), problem: Problem })
])
export type FolderFrame = typeof FolderFrame.Type
