/** The folders that one session that researches may read: the sources that it has got, and the project. */
import { reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFile, realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { isIn } from "../../../ecosystems/ecosystem/ForeignFolder.ts"

export class ReadRefused extends Schema.TaggedError<ReadRefused>()("ReadRefused", { message: Schema.String }) {}

export interface Checkouts {
  readonly add: (folder: string) => void
  /** Whether a path leads to something in these folders, behind all links. */
  readonly contains: (path: string) => Effect.Effect<boolean>
  /** The real path of what a path leads to. Fails where that is not in these folders. */
  readonly follow: (path: string) => Effect.Effect<string, ReadRefused>
  readonly read: (path: string) => Effect.Effect<string, ReadRefused>
}

/** A longer file is refused: no source is so long. */
const mostBytes = 4 * 1024 * 1024

/** Begins with the folder of the session. Relative paths are relative to it. */
export const make = (cwd: string): Checkouts => {
  const folders = new Set([cwd])

  const follow = (path: string) =>
    Effect.tryPromise({
      try: async () => {
        const real = await realpath(resolve(cwd, path))
        for (const folder of folders) if (isIn(await realpath(folder).catch(() => folder), real)) return real
        throw new ReadRefused({
          message: `${path} is outside of the folders that may be read: ${[...folders].join(", ")}.`
        })
      },
      catch: (error) =>
        error instanceof ReadRefused
          ? error
          : new ReadRefused({ message: `${path} can't be read: ${reasonOf(error)}.` })
    })

  return {
    add: (folder) => void folders.add(folder),
    contains: (path) => Effect.match(follow(path), { onSuccess: () => true, onFailure: () => false }),
    follow,
    read: (path) =>
      Effect.flatMap(follow(path), (real) =>
        Effect.tryPromise({
          try: async () => {
            const about = await stat(real)
            if (!about.isFile()) throw new Error("it is no file")
            if (about.size > mostBytes) throw new Error(`it has ${about.size} bytes, and 4 MiB may be read`)
            return await readFile(real, "utf8")
          },
          catch: (error) => new ReadRefused({ message: `${path} can't be read: ${reasonOf(error)}.` })
        })
      )
  }
}
