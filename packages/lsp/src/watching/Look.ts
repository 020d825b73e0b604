/** Finds out what has become of paths in watched folders: created, changed or deleted since the last look. */
import * as Effect from "effect/Effect"
import type { Stats } from "node:fs"
import { lstat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { FileEvent } from "./FileEvent.ts"
import * as WatchedFolder from "./WatchedFolder.ts"

interface Parts {
  /** What may have changed: entries of watched folders, or such a folder, whose entries are compared then. */
  readonly paths: ReadonlySet<string>
  readonly folders: ReadonlyMap<string, WatchedFolder.WatchedFolder>
  readonly mostNames: number
  /** Watches a folder no more. */
  readonly close: (path: string) => void
  readonly onFound: (event: FileEvent) => void
}

/** Files that are looked at together. */
const together = 32
/** Paths after which everything else of this process may go on. */
const slice = 1000

const statsOf = (path: string): Promise<Stats | undefined> =>
  lstat(path).then(
    (stats) => stats,
    () => undefined
  )

/** Entries that a folder has and is not known to have, or the other way round. */
const differing = async (path: string, { entries }: WatchedFolder.WatchedFolder, most: number) => {
  const now = (await WatchedFolder.entriesOf(path, most).catch(() => undefined)) ?? entries
  const names = new Set([...entries.keys(), ...now.keys()])
  return [...names].filter((name) => entries.get(name) !== now.get(name)).map((name) => join(path, name))
}

/** Returns folders that are new. */
export const at = Effect.fnUntraced(function* ({
  close,
  folders,
  mostNames,
  onFound,
  paths
}: Parts): Effect.fn.Return<ReadonlyArray<string>> {
  const looked = new Set(paths)
  for (const path of paths) {
    const folder = folders.get(path)
    if (folder === undefined) continue
    for (const one of yield* Effect.promise(() => differing(path, folder, mostNames))) looked.add(one)
  }
  // Folders come before what is in them.
  const all = [...looked].toSorted((one, other) => one.length - other.length)
  const found = yield* Effect.forEach(all, (path) => Effect.promise(() => statsOf(path)), { concurrency: together })
  const fresh: Array<string> = []

  /** Everything within a folder is gone. */
  const drop = (path: string) => {
    const folder = folders.get(path)
    if (folder === undefined) return
    close(path)
    for (const [name, kind] of folder.entries) {
      const one = join(path, name)
      onFound({ path: one, kind: "deleted" })
      if (kind === "folder") drop(one)
    }
  }

  for (const [index, path] of all.entries()) {
    if (index % slice === slice - 1) yield* Effect.yieldNow
    const parent = folders.get(dirname(path))
    const stats = found[index]
    const before = parent?.entries.get(basename(path))
    if (parent === undefined) {
      // A base whose parent nobody wants to hear of. It may lie behind a link.
      const folder = folders.get(path)
      if (folder === undefined) {
        if (stats?.isDirectory() === true) fresh.push(path)
      } else if (stats === undefined || (!stats.isSymbolicLink() && stats.ino !== folder.ino)) drop(path)
      continue
    }
    if (stats === undefined) {
      if (before === undefined) continue
      parent.entries.delete(basename(path))
      drop(path)
      onFound({ path, kind: "deleted" })
      continue
    }
    const kind = stats.isDirectory() ? "folder" : "file"
    const isSame = before === kind && (kind === "file" || folders.get(path)?.ino === stats.ino || !folders.has(path))
    if (isSame) {
      if (kind === "file") onFound({ path, kind: "changed" })
      continue
    }
    drop(path)
    parent.entries.set(basename(path), kind)
    onFound({ path, kind: before === undefined ? "created" : "changed" })
    if (kind === "folder") fresh.push(path)
  }
  return fresh
})
