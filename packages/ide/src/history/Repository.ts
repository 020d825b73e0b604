/** A repository, and what a model may name in it: commits and paths, checked before git sees them. */
import * as Effect from "effect/Effect"
import { isAbsolute, join, relative, sep } from "node:path"
import * as Git from "./Git.ts"
import * as GitDirectory from "./GitDirectory.ts"

export interface Repository {
  /** The absolute folder of its working tree, without links. */
  readonly top: string
  /** The session's folder in it, relative to `top`; empty if it is the same. */
  readonly prefix: string
  /** The session's folder, as the client has named it. */
  readonly cwd: string
}

const fail = (message: string) => Effect.fail(new Git.GitFailure({ message }))

/** The repository that a session's folder is in. */
export const at = Effect.fnUntraced(function* (cwd: string): Effect.fn.Return<Repository, Git.GitFailure> {
  const asked = ["--show-toplevel", "--show-prefix", "--absolute-git-dir", "--git-common-dir"]
  const { text } = yield* Git.run(cwd, ["rev-parse", ...asked])
  const [top = "", prefix = "", directory = "", common = ""] = text.split("\n")
  if (!isAbsolute(top)) return yield* fail(`${cwd} is in no working tree of git.`)
  const belongs = yield* Effect.promise(() => GitDirectory.belongsTo({ top, cwd, directory, common }))
  if (!belongs)
    return yield* fail(
      `The repository of ${top} is elsewhere, in ${directory}, and does not know this working tree. So nothing of it is read.`
    )
  return { top, prefix, cwd }
})

const mostCharacters = 1000

/** What is wrong with a word from elsewhere; undefined if nothing is. */
const wrong = (what: string, word: string): string | undefined => {
  if (word === "") return `${what} is empty.`
  if (word.length > mostCharacters) return `${what} is longer than ${mostCharacters} characters.`
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(word) ? `${what} has control characters.` : undefined
}

/** Whether a relative path leads out of its folder. */
const leaves = (path: string): boolean => path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)

/** The path relative to the top of the repository. One that leaves it is refused. */
export const pathIn = ({ cwd, prefix, top }: Repository, path: string): Effect.Effect<string, Git.GitFailure> => {
  const problem = wrong("The path", path)
  if (problem !== undefined) return fail(problem)
  const inCwd = isAbsolute(path) ? relative(cwd, path) : path
  // A client may name its folder by a link: then only the path in it says where in the repository it is.
  const found = isAbsolute(path) && leaves(inCwd) ? relative(top, path) : join(prefix, inCwd)
  if (leaves(found)) return fail(`${path} is outside of the repository ${top}.`)
  return found === ".git" || found.startsWith(`.git${sep}`)
    ? fail(`${path} is git's own folder, which is never committed.`)
    : Effect.succeed(found === "" ? "." : found)
}

/** The commit that a name stands for, as its whole hash. The words that git gets later on hold no name from elsewhere. */
export const commitOf = Effect.fnUntraced(function* (
  { top }: Repository,
  name: string
): Effect.fn.Return<string, Git.GitFailure> {
  const problem = wrong("The revision", name)
  if (problem !== undefined) return yield* fail(problem)
  if (name.startsWith("-")) return yield* fail(`${name} is no revision: it begins with a hyphen.`)
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]
  const { text } = yield* Git.run(top, asked).pipe(Effect.catch(() => fail(`There is no commit ${name}.`)))
  const [hash = ""] = text.trim().split("\n")
  return /^[0-9a-f]{40,64}$/.test(hash) ? hash : yield* fail(`${name} is not one commit.`)
})

/** A range of commits, by the hashes of its ends. */
export interface Range {
  readonly from: string
  readonly dots: ".." | "..."
  readonly to: string
}

/** The range `A..B` or `A...B`. An end that is left out is `HEAD`. Undefined if the text is no range. */
export const rangeOf = Effect.fnUntraced(function* (
  repository: Repository,
  text: string
): Effect.fn.Return<Range | undefined, Git.GitFailure> {
  const at = text.indexOf("..")
  if (at === -1) return undefined
  const dots = text.startsWith("...", at) ? "..." : ".."
  const [from, to] = [text.slice(0, at), text.slice(at + dots.length)]
  return {
    from: yield* commitOf(repository, from === "" ? "HEAD" : from),
    dots,
    to: yield* commitOf(repository, to === "" ? "HEAD" : to)
  }
})
