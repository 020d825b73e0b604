/** Names that a pattern of a command line means now, as far as they need a look of their own. */
import * as NamePattern from "@signalbox/permission/shell/NamePattern"
import * as Effect from "effect/Effect"
import type { Dirent } from "node:fs"
import { opendir } from "node:fs/promises"

/** More entries of folders are not looked at. */
const mostEntries = 4096

/** More names are not followed one by one. */
const mostNames = 256

/**
 * Names relative to the folder: links, folders, and files with unusual names. A plain file is where its folder is. Undefined: they are too
 * many, or nobody can say them.
 *
 * @param folder absolute. Undefined where it is not known
 * @param below a pattern for each level below the folder
 */
export const of = (
  folder: string | undefined,
  below: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string> | undefined> =>
  folder === undefined ? Effect.succeed(undefined) : Effect.promise(() => found(folder, below))

const found = async (folder: string, below: ReadonlyArray<string>): Promise<ReadonlyArray<string> | undefined> => {
  const notable = new Set<string>()
  let folders: ReadonlyArray<string> = [""]
  let entries = 0
  for (const pattern of below) {
    const next: Array<string> = []
    for (const within of folders) {
      const there = await entriesOf(`${folder}/${within}`, mostEntries - entries)
      if (there === undefined) return undefined
      entries += there.length
      for (const entry of there) {
        if (!NamePattern.mayName(pattern, entry.name)) continue
        const name = `${within}${entry.name}`
        if (!isPlain(entry)) notable.add(name)
        if (!entry.isFile()) next.push(`${name}/`)
      }
      if (notable.size > mostNames) return undefined
    }
    folders = next
  }
  return [...notable]
}

/** Names of protected files begin with other signs, or hold some. */
const isPlain = (entry: Dirent): boolean =>
  entry.isFile() && /^[A-Za-z0-9][\w.-]*$/.test(entry.name) && !/^config\.fish$/i.test(entry.name)

/** None where this is no folder, or none that can be read: a shell finds nothing there either. Undefined: more than `most`. */
const entriesOf = async (folder: string, most: number): Promise<ReadonlyArray<Dirent> | undefined> => {
  const entries: Array<Dirent> = []
  try {
    for await (const entry of await opendir(folder)) {
      entries.push(entry)
      if (entries.length > most) return undefined
    }
  } catch {
    return []
  }
  return entries
}
