/** Which files git ignores, as git itself says. One run of it answers for all files of a repository. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import { lstat } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { isMissing } from "@signalbox/system/SystemError"
import * as Git from "./GitReader.ts"

/** `unknown`: the file is in a repository, and git could not say. */
export type Ignored = "no" | "yes" | "unknown"

/** A path that a repository is asked about: a file, or the folder of a repository within it. */
interface Asked {
  readonly repository: string
  readonly path: string
}

/**
 * Answers for each path. A repository that lies in an ignored folder of another one is ignored with all its files.
 *
 * @param paths absolute and without links
 * @param roots the folders of the workspace, absolute and without links: what is around them has no say in a repository within
 */
export const check = Effect.fn("IgnoredByGit.check")(function* (
  paths: ReadonlyArray<string>,
  roots: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyMap<string, Ignored>> {
  const known = new Map<string, Promise<string | undefined>>()
  const asked = new Map<string, ReadonlyArray<Asked>>()
  const repositories = new Map<string, Set<string>>()
  for (const path of paths) {
    const ways = yield* Effect.promise(() => askedFor(path, roots, known))
    asked.set(path, ways)
    for (const { path, repository } of ways)
      repositories.set(repository, (repositories.get(repository) ?? new Set()).add(path))
  }
  const ignored = new Map<string, ReadonlySet<string> | undefined>()
  yield* Effect.forEach(repositories, ([repository, inside]) =>
    Effect.map(ignoredIn(repository, [...inside]), (found) => ignored.set(repository, found))
  )
  return new Map(paths.map((path) => [path, answerOf(asked.get(path) ?? [], ignored)]))
})

const answerOf = (
  asked: ReadonlyArray<Asked>,
  ignored: ReadonlyMap<string, ReadonlySet<string> | undefined>
): Ignored => {
  const found = new Set(asked.map(({ path, repository }) => ignored.get(repository)?.has(path)))
  return found.has(true) ? "yes" : found.has(undefined) ? "unknown" : "no"
}

/** The repository of a file, and those around it as far as the workspace reaches. */
const askedFor = async (
  file: string,
  roots: ReadonlyArray<string>,
  known: Map<string, Promise<string | undefined>>
): Promise<ReadonlyArray<Asked>> => {
  const asked: Array<Asked> = []
  for (let path = file; ;) {
    const repository = await repositoryOf(dirname(path), known)
    if (repository === undefined) return asked
    asked.push({ repository, path })
    if (!roots.some((root) => isWithin(root, dirname(repository)))) return asked
    path = repository
  }
}

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
    Git.run(repository, ["check-ignore", "-z", "--stdin"], {
      input: paths.map((path) => `${relative(repository, path)}\0`).join("")
    }),
    (listed) =>
      // An exit code of 1 says that none of them is ignored.
      listed === undefined || listed.isCut || listed.code > 1
        ? undefined
        : new Set(listed.text.split("\0").flatMap((name) => (name === "" ? [] : [join(repository, name)])))
  )
