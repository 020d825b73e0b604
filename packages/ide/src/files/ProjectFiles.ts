/**
 * Lists the files of a project folder: those that git knows and does not ignore, else those that a bounded walk finds.
 * Links are not followed, so nothing outside of the folder is listed.
 */
import * as Effect from "effect/Effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as Git from "@signalbox/process/GitReader"

export interface ProjectFiles {
  /** Paths relative to the folder, with `/`. */
  readonly paths: ReadonlyArray<string>
  /** Whether there are more files than listed. */
  readonly truncated: boolean
}

/** The most files that are listed. */
const mostFiles = 50_000

/** The most bytes of names that are read from git. */
const mostBytes = 16 * 1024 * 1024

/** The time limit for a walk, in milliseconds. */
const patience = 3000

/** Names that are left out in folders without git: tools make these folders, and people don't refer to their files. */
const leftOut: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", "__pycache__"])

/** Lists at most `most` files; none if the folder can't be read. */
export const list = (folder: string, most = mostFiles): Effect.Effect<ProjectFiles> =>
  Effect.flatMap(fromGit(folder, most), (known) =>
    known === undefined ? Effect.promise((signal) => walk(folder, most, signal)) : Effect.succeed(known)
  )

const lsFiles = "ls-files -z --cached --others --exclude-standard --deduplicate".split(" ")

/** The files that git lists. Undefined if the folder isn't in a repository, or git isn't installed. */
const fromGit = (folder: string, most: number): Effect.Effect<ProjectFiles | undefined> =>
  Effect.map(Git.run(folder, lsFiles, { mostBytes }), (listed) => {
    if (listed === undefined || (listed.code !== 0 && !listed.isCut)) return undefined
    const names = listed.text.split("\0")
    // Behind the last NUL stands nothing, or an incomplete name.
    names.pop()
    return { paths: names.slice(0, most), truncated: listed.isCut || names.length > most }
  })

/** Walks a folder level by level, so that the deepest files are left out. */
const walk = async (folder: string, most: number, signal: AbortSignal): Promise<ProjectFiles> => {
  const until = Date.now() + patience
  const paths: Array<string> = []
  let level = [""]
  while (level.length > 0) {
    const below: Array<string> = []
    for (const parent of level) {
      if (signal.aborted || Date.now() > until) return { paths, truncated: true }
      // A folder that can't be read, or is gone by now, is left out.
      const entries = await readdir(join(folder, parent), { withFileTypes: true }).catch(() => [])
      for (const entry of entries) {
        const path = parent === "" ? entry.name : `${parent}/${entry.name}`
        if (entry.isFile()) paths.push(path)
        else if (entry.isDirectory() && !leftOut.has(entry.name)) below.push(path)
      }
      if (paths.length > most) return { paths: paths.slice(0, most), truncated: true }
    }
    level = below
  }
  return { paths, truncated: false }
}
