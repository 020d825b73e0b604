/** A folder of this machine, as people choose one. */
import * as Schema from "effect/Schema"

export const Directory = Schema.Struct({
  path: Schema.String,
  parent: Schema.NullOr(Schema.String),
  /** Only folders, by name. Hidden ones come last. */
  folders: Schema.Array(Schema.Struct({ name: Schema.String, path: Schema.String, git: Schema.Boolean })),
  git: Schema.Boolean
})
export type Directory = typeof Directory.Type

/** The folder can't be read. `reason`: the words of the system. */
export class DirectoryUnreadable extends Schema.TaggedError<DirectoryUnreadable>()("DirectoryUnreadable", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.path} can't be read: ${this.reason}`
  }
}
