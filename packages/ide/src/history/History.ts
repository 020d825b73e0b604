/** What the history of a repository holds: its commits, who wrote each line of a file, and what changed between two commits. */
import * as Effect from "effect/Effect"
import * as Git from "./Git.ts"
import * as Repository from "./Repository.ts"

const fail = (message: string) => Effect.fail(new Git.GitFailure({ message }))

/** The output, or a word for none. */
const orElse = ({ isCut, text }: Git.Output, none: string): Git.Output => ({ text: text === "" ? none : text, isCut })

/** The path as words of git; none if there is no path. */
const pathWords = (repository: Repository.Repository, path: string | undefined) =>
  path === undefined
    ? Effect.succeed([])
    : Effect.map(Repository.pathIn(repository, path), (checked) => ["--", checked])

export interface LogQuery {
  readonly revision?: string | undefined
  readonly path?: string | undefined
  readonly limit?: number | undefined
}

const defaultCommits = 20
const mostCommits = 200

const format = "--format=commit %H%nAuthor: %an <%ae>%nDate: %aI%n%n%w(0,4,4)%B"

/** Commits, newest first. */
export const log = Effect.fn("History.log")(function* (cwd: string, query: LogQuery) {
  const repository = yield* Repository.at(cwd)
  const revision = query.revision ?? "HEAD"
  const range = yield* Repository.rangeOf(repository, revision)
  const commits =
    range === undefined ? yield* Repository.commitOf(repository, revision) : `${range.from}${range.dots}${range.to}`
  const limit = Math.min(mostCommits, Math.max(1, Math.trunc(query.limit ?? defaultCommits) || 1))
  const output = yield* Git.run(repository.top, [
    "log",
    "--no-patch",
    "--no-show-signature",
    "--no-color",
    `--max-count=${limit}`,
    format,
    commits,
    ...(yield* pathWords(repository, query.path))
  ])
  return orElse(output, "No commits.")
})

export interface BlameQuery {
  readonly path: string
  readonly revision?: string | undefined
  readonly firstLine?: number | undefined
  readonly lastLine?: number | undefined
}

const isLine = (number: number): boolean => Number.isSafeInteger(number) && number > 0

/** The commit, the author and the day of each line of a file, as it was committed. */
export const blame = Effect.fn("History.blame")(function* (cwd: string, query: BlameQuery) {
  const { firstLine = 1, lastLine, path, revision = "HEAD" } = query
  if (!isLine(firstLine) || (lastLine !== undefined && !(isLine(lastLine) && lastLine >= firstLine)))
    return yield* fail("Lines are counted from 1, and the last one is not before the first one.")
  const repository = yield* Repository.at(cwd)
  const commit = yield* Repository.commitOf(repository, revision)
  const output = yield* Git.run(repository.top, [
    "blame",
    "--no-textconv",
    "--date=short",
    "-L",
    `${firstLine},${lastLine ?? ""}`,
    commit,
    "--",
    yield* Repository.pathIn(repository, path)
  ])
  return orElse(output, "The file is empty.")
})

export interface DiffQuery {
  readonly range: string
  readonly path?: string | undefined
}

/** What changed between two commits. Nothing of the working tree is read: for that, git would run filters of the repository. */
export const diff = Effect.fn("History.diff")(function* (cwd: string, query: DiffQuery) {
  const repository = yield* Repository.at(cwd)
  const range = yield* Repository.rangeOf(repository, query.range)
  if (range === undefined)
    return yield* fail(
      `${query.range.slice(0, 100)} is no range. Write two commits, such as main..HEAD or HEAD^..HEAD.`
    )
  const output = yield* Git.run(repository.top, [
    ...Git.diffWords,
    `${range.from}${range.dots}${range.to}`,
    ...(yield* pathWords(repository, query.path))
  ])
  return orElse(output, "No changes.")
})
