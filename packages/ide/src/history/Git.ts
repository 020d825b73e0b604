/**
 * Runs git to read what a repository has committed. Nothing else of the repository is used: no program that its settings name is started,
 * nothing is fetched, and nothing is written.
 */
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import * as ReadingGit from "@signalbox/process/ReadingGit"
import { reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { execFile } from "node:child_process"

/** Why something could not be read, as a sentence for a model. */
export class GitFailure extends Schema.TaggedError<GitFailure>()("GitFailure", { message: Schema.String }) {}

export interface Output {
  readonly text: string
  /** Whether there is more than `text` holds. */
  readonly isCut: boolean
}

/** The most characters of an answer. */
const mostText = 64 * 1024

/** The time limit of one call, in milliseconds. */
const patience = 10_000

/** Each command turns off its own programs, too. */
const guards = [
  "--no-pager",
  "--literal-pathspecs",
  ...ReadingGit.guards,
  ...["log.showSignature=false", "diff.submodule=short", "color.ui=false"].flatMap((setting) => ["-c", setting])
]

/** The command that compares, without programs of the repository. */
export const diffWords: ReadonlyArray<string> = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--submodule=short"
]

/** Variables that people set to hold git back. Others that begin with `GIT_` could name another repository, a program or a file. */
const kept: ReadonlySet<string> = new Set(["GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"])

type Variables = Readonly<Record<string, string>>

const environment = (host: ChildEnvironment.Environment, variables: Variables): Record<string, string> => {
  const foreign = Object.keys(host).filter((name) => name.startsWith("GIT_") && !kept.has(name))
  return ChildEnvironment.of(host, {
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    ...variables,
    ...ReadingGit.variables
  })
}

const failureOf = (error: { readonly code?: unknown; readonly killed?: boolean }, stderr: string): GitFailure => {
  if (error.code === "ENOENT") return new GitFailure({ message: "The folder is not there, or git is not installed." })
  if (error.killed === true)
    return new GitFailure({ message: `git took longer than ${patience / 1000} seconds. Ask for less.` })
  const [first = ""] = stderr.trim().split("\n")
  return new GitFailure({ message: first === "" ? "git failed without a word." : `git: ${first.slice(0, 400)}` })
}

/**
 * Runs a command of git in a folder, and returns the beginning of its output.
 *
 * @param args its words. What comes from elsewhere has been checked: none of it may begin with a hyphen before `--`.
 * @param variables added to its environment
 */
export const run = (
  folder: string,
  args: ReadonlyArray<string>,
  variables: Variables = {}
): Effect.Effect<Output, GitFailure> =>
  Effect.callback((resume, signal) => {
    const start = () =>
      execFile(
        "git",
        [...guards, ...args],
        {
          cwd: folder,
          env: environment(process.env, variables),
          maxBuffer: mostText,
          timeout: patience,
          killSignal: "SIGKILL",
          signal
        },
        (error, stdout, stderr) => {
          if (error === null) return resume(Effect.succeed({ text: stdout, isCut: false }))
          if (error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return resume(Effect.fail(failureOf(error, stderr)))
          // The last line is incomplete, unless the only one is.
          const end = stdout.lastIndexOf("\n")
          resume(Effect.succeed({ text: end > 0 ? stdout.slice(0, end + 1) : stdout, isCut: true }))
        }
      )
    try {
      start()
    } catch (error) {
      // Some errors are thrown at once, such as that of a folder that is a file.
      resume(Effect.fail(new GitFailure({ message: `git can't run in ${folder}: ${reasonOf(error)}.` })))
    }
  })
