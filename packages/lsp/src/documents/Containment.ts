/** Holds files within the folders of a workspace, also behind symbolic links. */
import { isWithin } from "@signalbox/contracts/Paths"
import { isMissing } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import { dirname, isAbsolute, relative, resolve } from "node:path"
import { LanguageServerError } from "../LanguageServerError.ts"

/** The innermost of the folders that has the path. Links are not followed. */
export const folderOf = (folders: ReadonlyArray<string>, path: string): string | undefined =>
  folders.filter((folder) => isWithin(folder, path)).toSorted((one, other) => other.length - one.length)[0]

/** The real path of a file that may be missing: that of its nearest folder that exists, and the rest. */
const realPathOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path)
  } catch (error) {
    const folder = dirname(path)
    if (!isMissing(error) || folder === path) throw error
    return resolve(await realPathOf(folder), relative(folder, path))
  }
}

const outside = (path: string, folders: ReadonlyArray<string>, why: string) =>
  new LanguageServerError({
    reason: "OutOfFolders",
    message: `${path} is not asked about: ${why}. Open the folder that has it. Open now: ${folders.join(", ") || "none"}.`
  })

/** Fails unless the file is within one of the folders, by its name and with links followed. */
export const check = (folders: ReadonlyArray<string>, path: string): Effect.Effect<string, LanguageServerError> =>
  Effect.gen(function* () {
    if (!isAbsolute(path)) return yield* outside(path, folders, "it is no absolute path")
    const folder = folderOf(folders, resolve(path))
    if (folder === undefined) return yield* outside(path, folders, "it is in no folder that is open")
    const real = yield* Effect.tryPromise({
      try: async () => {
        const [target, ...roots] = await Promise.all([realPathOf(path), ...folders.map(realPathOf)])
        return roots.some((root) => isWithin(root, target))
      },
      catch: () => outside(path, folders, "its links could not be followed")
    })
    if (!real) return yield* outside(path, folders, "a symbolic link leads out of the folders")
    return folder
  })
