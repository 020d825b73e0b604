/** A file on the disk as text that changes when the file does. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"

/** The stamp of a file. Symbolic links are followed, since an update changes their target. */
export const of = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.stat(path))
  return Option.match(info, {
    onNone: () => path,
    onSome: ({ ino, mtime, size }) =>
      [path, Option.getOrElse(ino, () => 0), Option.match(mtime, { onNone: () => 0, onSome: Number }), size].join(" ")
  })
})
