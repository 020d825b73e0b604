/**
 * The folder where git keeps a repository. A `.git` that is a file or a link may lead to a foreign repository. A session must not see the
 * commits of that.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import { readFile, realpath } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"

export interface Asked {
  /** The working tree, without links. */
  readonly top: string
  /** The folder in which git was asked. */
  readonly cwd: string
  /** What git says: its folder for this working tree, and that for all trees of the repository. */
  readonly directory: string
  readonly common: string
}

/** The folder that holds `.git`, or the git folder itself if it has another name. */
const holderOf = (directory: string): string => {
  for (let folder = directory; folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === ".git") return dirname(folder)
  return directory
}

/** Whether it is in the working tree, or the `.git` of a folder that holds this, as with a submodule. */
const isAround = (top: string, directory: string): boolean =>
  isWithin(top, directory) || (holderOf(directory) !== directory && isWithin(holderOf(directory), top))

/** Whether the repository itself names the working tree, as one that `git worktree add` has made. */
const isLinked = async (top: string, directory: string, common: string): Promise<boolean> => {
  if (dirname(directory) !== resolve(common, "worktrees")) return false
  const back = await readFile(resolve(directory, "gitdir"), "utf8")
  return resolve(directory, back.trim()) === resolve(top, ".git")
}

/** Whether a repository belongs to the working tree that it was found by. */
export const belongsTo = async ({ common, cwd, directory, top }: Asked): Promise<boolean> => {
  try {
    const [own, all] = await Promise.all([realpath(directory), realpath(resolve(await realpath(cwd), common))])
    return (isAround(top, own) && isAround(top, all)) || (await isLinked(top, own, all))
  } catch {
    // What can't be looked at does not belong to it.
    return false
  }
}
