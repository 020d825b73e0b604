/** One folder that is watched, without those in it, and what was in it when it was looked at last. */
import { codeOf, isMissing, reasonOf } from "@signalbox/system/SystemError"
import { type FSWatcher, watch } from "node:fs"
import { opendir, stat } from "node:fs/promises"
import { basename, join } from "node:path"

/** Everything that is no folder counts as a file, links too: they are not followed. */
export type EntryKind = "file" | "folder"

export interface WatchedFolder {
  /** Another folder with the same name has another number. */
  readonly ino: number
  readonly entries: Map<string, EntryKind>
  readonly close: () => void
}

export type Opening =
  | { readonly type: "open"; readonly folder: WatchedFolder }
  /** It is no folder, or not there, or this user may not look into it. A language server may neither. */
  | { readonly type: "none" }
  /** It has more entries than asked for. */
  | { readonly type: "full" }
  /** The system does not watch it. `why`: to stand behind a colon. */
  | { readonly type: "refused"; readonly why: string }

const limits: Readonly<Record<string, string>> = {
  ENOSPC: "the limit fs.inotify.max_user_watches is reached",
  EMFILE: "the limit fs.inotify.max_user_instances or that of open files is reached"
}

const refusalOf = (error: unknown): Opening => {
  const code = codeOf(error) ?? ""
  if (isMissing(error) || code === "EACCES" || code === "EPERM") return { type: "none" }
  return { type: "refused", why: limits[code] ?? reasonOf(error) }
}

/** The number of a folder. Undefined if there is none. */
export const inoOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (stats) => (stats.isDirectory() ? stats.ino : undefined),
    () => undefined
  )

/** Reads what is in a folder. Undefined if there is more than `most`. */
export const entriesOf = async (path: string, most: number): Promise<Map<string, EntryKind> | undefined> => {
  const entries = new Map<string, EntryKind>()
  // Leaving the loop closes it.
  for await (const entry of await opendir(path, { bufferSize: 512 })) {
    if (entries.size >= most) return undefined
    entries.set(entry.name, entry.isDirectory() ? "folder" : "file")
  }
  return entries
}

/**
 * Watches a folder, and then looks what is in it, so nothing falls in between.
 *
 * @param onChange hears the path of what may have changed: an entry, or the folder itself if the system doesn't say which
 */
export const open = async (path: string, most: number, onChange: (path: string) => void): Promise<Opening> => {
  const watching: Array<FSWatcher> = []
  const close = () => watching.forEach((watcher) => watcher.close())
  try {
    const { ino } = await stat(path)
    const watcher = watch(path, { persistent: false }, (_, name) => {
      if (name !== null) onChange(join(path, name))
      // What becomes of the folder itself has its own name.
      if (name === null || name === basename(path)) onChange(path)
    })
    watching.push(watcher)
    watcher.on("error", () => onChange(path))
    const entries = await entriesOf(path, most)
    if (entries !== undefined) return { type: "open", folder: { ino, entries, close } }
    close()
    return { type: "full" }
  } catch (error) {
    close()
    return refusalOf(error)
  }
}
