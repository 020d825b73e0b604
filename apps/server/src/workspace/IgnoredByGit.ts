/** Which files git ignores, as git itself says. One run of it answers for all files of a repository. */
import * as Effect from "effect/Effect"
import { lstat } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { isMissing } from "@signalbox/system/SystemError"
import * as Git from "./Git.ts"

/** `unknown`: the file is in a repository, and git could not say. */
export type Ignored = "no" | "yes" | "unknown"

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

/** The ignored ones of these paths. Undefined if git can't say. */
const ignoredIn = (repository: string, paths: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string> | undefined> =>
  Effect.map(
    Git.run(
      repository,
      ["check-ignore", "-z", "--stdin"],
      paths.map((path) => `${relative(repository, path)}\0`).join("")
    ),
    (listed) =>
      listed === undefined
        ? undefined
        : new Set(listed.split("\0").flatMap((name) => (name === "" ? [] : [join(repository, name)])))
  )
