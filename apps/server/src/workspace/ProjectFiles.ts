/**
 * The files of a folder that people work on: what git knows and does not ignore, else what a bounded walk finds. Links are not
 * followed, so that nothing outside of the folder is in it.
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"

export interface ProjectFiles {
  /** From the folder on, with `/`. */
  readonly paths: ReadonlyArray<string>
  /** There are more. */
  readonly truncated: boolean
}

/** The most files that are looked at. */
const mostFiles = 50_000

/** Bytes of names that are read of git. */
const mostBytes = 16 * 1024 * 1024

/** Milliseconds for git, and for a walk. */
const patience = 3000

/** Names that are left out in folders without git: made by tools, and full of what nobody mentions. */
const leftOut: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", "__pycache__"])

/** At most `most` of them. A folder that can't be read has none. */
export const list = (folder: string, most = mostFiles): Effect.Effect<ProjectFiles> =>
  Effect.flatMap(fromGit(folder, most), (known) =>
    known === undefined ? Effect.promise((signal) => walk(folder, most, signal)) : Effect.succeed(known)
  )

/**
 * A repository may name programs in its settings that git would run to look at its files; those are switched off. Nothing is
 * written, not even git's own index.
 */
const gitArguments =
  "-c core.fsmonitor=false -c core.untrackedCache=false -c core.hooksPath=/dev/null ls-files -z --cached --others --exclude-standard --deduplicate".split(
    " "
  )

/** Undefined where git knows nothing of the folder, or there is no git. */
const fromGit = (folder: string, most: number): Effect.Effect<ProjectFiles | undefined> =>
  Effect.callback((resume, signal) => {
    execFile(
      "git",
      gitArguments,
      {
        cwd: folder,
        env: ChildEnvironment.of(process.env, { GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" }),
        maxBuffer: mostBytes,
        timeout: patience,
        signal
      },
      (error, stdout) => {
        const tooMuch = error?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER"
        if (error !== null && !tooMuch) return resume(Effect.succeed(undefined))
        const names = stdout.split("\0")
        // What follows the last NUL is nothing, or the beginning of a name.
        names.pop()
        resume(Effect.succeed({ paths: names.slice(0, most), truncated: tooMuch || names.length > most }))
      }
    )
  })

/** Level by level, so that what is left out is deep down. */
const walk = async (folder: string, most: number, signal: AbortSignal): Promise<ProjectFiles> => {
  const until = Date.now() + patience
  const paths: Array<string> = []
  let level = [""]
  while (level.length > 0) {
    const below: Array<string> = []
    for (const parent of level) {
      if (signal.aborted || Date.now() > until) return { paths, truncated: true }
      // One that may not be read is left out, like one that is gone by now.
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
