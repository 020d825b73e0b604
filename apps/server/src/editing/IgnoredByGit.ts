/** Which files git ignores, as git itself says. One run of it answers for all files of a repository. */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { lstat } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import { isMissing } from "@signalbox/system/SystemError"

/** `unknown`: the file is in a repository, and git could not say. */
export type Ignored = "no" | "yes" | "unknown"

/** The time limit for git, in milliseconds. */
const patience = 3000
const mostBytes = 4 * 1024 * 1024

/** Answers for each path. `paths`: absolute and without links. */
export const check = Effect.fn("IgnoredByGit.check")(function* (
  paths: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyMap<string, Ignored>> {
  const known = new Map<string, Promise<string | undefined>>()
  const repositories = new Map<string, Array<string>>()
  const answers = new Map<string, Ignored>()
  for (const path of paths) {
    const repository = yield* Effect.promise(() => repositoryOf(dirname(path), known))
    if (repository === undefined) answers.set(path, "no")
    else repositories.set(repository, [...(repositories.get(repository) ?? []), path])
  }
  yield* Effect.forEach(repositories, ([repository, inside]) =>
    Effect.map(ignoredIn(repository, inside), (ignored) => {
      for (const path of inside) answers.set(path, ignored === undefined ? "unknown" : ignored.has(path) ? "yes" : "no")
    })
  )
  return answers
})

/** The nearest folder with an entry `.git`. An entry that can't be looked at counts as there. */
const repositoryOf = (folder: string, known: Map<string, Promise<string | undefined>>): Promise<string | undefined> => {
  const before = known.get(folder)
  if (before !== undefined) return before
  const found = lstat(join(folder, ".git")).then(
    () => folder,
    (error: unknown) => {
      if (!isMissing(error)) return folder
      return dirname(folder) === folder ? undefined : repositoryOf(dirname(folder), known)
    }
  )
  known.set(folder, found)
  return found
}

/**
 * The arguments of git. A repository's settings may name programs that git would run, so these are turned off. Nothing
 * is written.
 */
const gitArguments = "-c core.fsmonitor=false -c core.hooksPath=/dev/null check-ignore -z --stdin".split(" ")

/** Variables that would make git look at another repository. */
const noOther = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, GIT_PREFIX: undefined }

/** The ignored ones of these paths. Undefined if git can't say. */
const ignoredIn = (repository: string, paths: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string> | undefined> =>
  Effect.callback((resume, signal) => {
    const child = execFile(
      "git",
      gitArguments,
      {
        cwd: repository,
        env: ChildEnvironment.of(process.env, { ...noOther, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" }),
        maxBuffer: mostBytes,
        timeout: patience,
        signal
      },
      (error, stdout) => {
        // Git ends with 1 if it ignores none of them.
        if (error !== null && error.code !== 1) return resume(Effect.undefined)
        const names = stdout.split("\0").filter((name) => name !== "")
        resume(Effect.succeed(new Set(names.map((name) => join(repository, name)))))
      }
    )
    // A git that ends early says why by its exit code.
    child.stdin?.on("error", () => {})
    child.stdin?.end(paths.map((path) => `${relative(repository, path)}\0`).join(""))
  })
