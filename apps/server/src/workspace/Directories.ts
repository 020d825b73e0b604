/** Folders of this machine, as the folder picker shows them. */
import { type Directory, DirectoryUnreadable } from "@signalbox/contracts/Directory"
import * as Effect from "effect/Effect"
import type { Dirent } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { codeOf, reasonOf } from "@signalbox/system/SystemError"

/** Lists the folders in `path`: absolute, or starting with `~`; links to folders count as folders. */
export const list = Effect.fn("Directories.list")(function* (path: string) {
  const asked = path.trim()
  const absolute = asked === "" || asked === "~" ? homedir() : asked.replace(/^~(?=\/)/, homedir())
  if (!isAbsolute(absolute)) {
    return yield* new DirectoryUnreadable({ path: asked, reason: "it is not a full path; those begin with / or ~" })
  }
  return yield* Effect.tryPromise({
    try: () => read(resolve(absolute)),
    catch: (cause) =>
      new DirectoryUnreadable({
        path: resolve(absolute),
        reason: `${reasons[codeOf(cause) ?? ""] ?? reasonOf(cause)}.`
      })
  })
})

const read = async (path: string): Promise<Directory> => {
  const entries = await readdir(path, { withFileTypes: true })
  const folders = await Promise.all(entries.map((entry) => folderOf(path, entry)))
  return {
    path,
    parent: dirname(path) === path ? null : dirname(path),
    folders: folders.filter((folder) => folder !== undefined).sort(byName),
    git: entries.some((entry) => entry.name === ".git")
  }
}

type Folder = Directory["folders"][number]

const folderOf = async (parent: string, entry: Dirent): Promise<Folder | undefined> => {
  const path = join(parent, entry.name)
  const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await kindOf(path)) === "folder")
  if (!isFolder) return undefined
  // In a worktree or a submodule, `.git` is a file. So any `.git` counts.
  return { name: entry.name, path, git: (await kindOf(join(path, ".git"))) !== "none" }
}

/** The kind of a path. `none` also if we may not look at it, since it can't be opened either. */
const kindOf = (path: string): Promise<"folder" | "other" | "none"> =>
  stat(path).then(
    (info) => (info.isDirectory() ? "folder" : "other"),
    () => "none"
  )

const collator = new Intl.Collator("en", { numeric: true })

const byName = (left: Folder, right: Folder): number => {
  const hidden = Number(left.name.startsWith(".")) - Number(right.name.startsWith("."))
  return hidden !== 0 ? hidden : collator.compare(left.name, right.name)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it is not a folder",
  EACCES: "this user may not open it",
  EPERM: "this user may not open it"
}
