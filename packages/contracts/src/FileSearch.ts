/** Files of a folder, found by parts of their names. */
import * as Schema from "effect/Schema"

const maxFoundFiles = 100

export const FoundFile = Schema.Struct({
  /** The path from the folder, with `/`. */
  path: Schema.String,
  /** An absolute `file:` address. */
  uri: Schema.String,
  /** The UTF-16 units of `path` that matched the query, ascending. */
  matched: Schema.Array(Schema.Int)
})
export type FoundFile = typeof FoundFile.Type

export const FileSearchQuery = Schema.Struct({
  /** An absolute folder. Nothing outside of it is ever found. */
  cwd: Schema.String,
  query: Schema.String.check(Schema.isMaxLength(200)),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxFoundFiles }))
})
export type FileSearchQuery = typeof FileSearchQuery.Type

export const FoundFiles = Schema.Struct({
  /** The files, the best match first. */
  files: Schema.Array(FoundFile),
  /** Whether the folder has more files than were searched. */
  truncated: Schema.Boolean
})
export type FoundFiles = typeof FoundFiles.Type
