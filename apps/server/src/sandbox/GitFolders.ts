/**
 * What of Git's folders a sandboxed program may write. Git runs what its hooks and its configuration name. A file
 * `commondir` in the folder of a repository leads to another configuration. So whoever may make files in that folder
 * can name programs. The folder of a linked worktree has that file already, and only there can commits be let through.
 */
import type { SandboxMembers } from "@signalbox/contracts/Sandbox"
import { lstat, mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { isMissing } from "@signalbox/system/SystemError"
import * as Containment from "../workspace/Containment.ts"
import { otherFolder, unguarded } from "./SandboxRefused.ts"

export interface GitLayers {
  readonly writable: ReadonlyArray<string>
  readonly guarded: ReadonlyArray<string>
}

const nothing: GitLayers = { writable: [], guarded: [] }

const kindOf = async (path: string): Promise<"folder" | "file" | "link" | "other" | undefined> => {
  try {
    const found = await lstat(path)
    if (found.isSymbolicLink()) return "link"
    return found.isDirectory() ? "folder" : found.isFile() ? "file" : "other"
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Those that exist and are no links. */
const present = async (folder: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const kinds = await Promise.all(names.map((name) => kindOf(join(folder, name))))
  return names.flatMap((name, index) =>
    kinds[index] === "folder" || kinds[index] === "file" ? [join(folder, name)] : []
  )
}

/** The folders of Git of one folder of a session. `root`: without links. Throws a `Refused` if they can't be guarded. */
export const of = async (root: string, git: SandboxMembers["git"]): Promise<GitLayers> => {
  if ((await present(root, ["HEAD", "objects", "refs"])).length === 3)
    throw unguarded(`${root} is itself a folder of Git.`, root, otherFolder)
  const at = join(root, ".git")
  switch (await kindOf(at)) {
    case undefined:
      return nothing
    case "folder":
      return git === "writable" ? ofRepository(at) : { writable: [], guarded: [at] }
    case "file": {
      const worktree = await ofWorktree(root, at)
      return { writable: worktree.writable, guarded: [at, ...worktree.guarded] }
    }
    case "link":
    case "other":
      throw unguarded(
        `${at} is a link, which a program in the sandbox could put another one in place of.`,
        at,
        otherFolder
      )
  }
}

/** What Git runs, or takes its configuration from, in the folder of a repository. */
const deciding: ReadonlyArray<string> = ["hooks", "config", "config.worktree", "commondir", "modules", "worktrees"]

/** All of it but what names programs. What is missing is made first, since only what exists can be guarded. */
const ofRepository = async (at: string): Promise<GitLayers> => {
  for (const name of ["hooks", "config"]) {
    const kind = await kindOf(join(at, name))
    if (kind === "link" || kind === "other")
      throw unguarded(`${join(at, name)} is a link.`, join(at, name), {
        action: "run-command",
        label: "Put the file itself there"
      })
  }
  await mkdir(join(at, "hooks"), { recursive: true })
  await writeFile(join(at, "config"), "", { flag: "a" })
  return { writable: [at], guarded: await present(at, deciding) }
}

/** A `.git` file that is longer leads nowhere. */
const longest = 8192

const lineOf = async (path: string): Promise<string> => {
  const text = await readFile(path, "utf8")
  return text.length > longest ? "" : text.replace(/\r?\n$/, "")
}

/** The real folder that a path leads to, in the notation of Git. */
const folderAt = async (base: string, path: string): Promise<string> =>
  (await Containment.follow(resolve(base, path))).path

/**
 * The folder of a linked worktree, and what commits write in its repository. Empty if the repository does not lead back
 * here: then the file may name a folder that is none of its business.
 */
const ofWorktree = async (root: string, file: string): Promise<GitLayers> => {
  try {
    const [, named] = /^gitdir: (.+)$/.exec(await lineOf(file)) ?? []
    if (named === undefined) return nothing
    const own = await folderAt(root, named)
    const common = await folderAt(own, await lineOf(join(own, "commondir")))
    const back = await folderAt(own, await lineOf(join(own, "gitdir")))
    if (dirname(own) !== join(common, "worktrees") || back !== file) return nothing
    const config = await readFile(join(common, "config"), "utf8")
    // Then Git reads a file that could be made.
    const ownConfig = /worktreeconfig/i.test(config) && (await kindOf(join(own, "config.worktree"))) !== "file"
    if (ownConfig) return nothing
    return {
      writable: [own, ...(await present(common, ["objects", "refs", "logs"]))],
      guarded: await present(own, [...deciding, "gitdir"])
    }
  } catch {
    // It is no worktree, or it can't be read: then it stays read-only.
    return nothing
  }
}
