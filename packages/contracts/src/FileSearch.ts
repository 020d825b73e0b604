/** Files of a folder, found by what somebody remembers of their names. */
import * as Schema from "effect/Schema"

const maxFoundFiles = 100

export const FoundFile = Schema.Struct({
  /** From the folder on, with `/`. */
  path: Schema.String,
  /** `file:`, absolute. */
  uri: Schema.String,
  /** Which UTF-16 units of `path` were meant, ascending. */
  matched: Schema.Array(Schema.Int)
})
export type FoundFile = typeof FoundFile.Type

export const FileSearchQuery = Schema.Struct({
  /** Absolute. Nothing outside of it is ever found. */
  cwd: Schema.String,
  query: Schema.String.check(Schema.isMaxLength(200)),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxFoundFiles }))
})
export type FileSearchQuery = typeof FileSearchQuery.Type

export const FoundFiles = Schema.Struct({
  /** The best first. */
  files: Schema.Array(FoundFile),
  /** There are more files in the folder than were looked at. */
  truncated: Schema.Boolean
})
export type FoundFiles = typeof FoundFiles.Type
