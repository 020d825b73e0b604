/** Runs git in a folder of a workspace, to read what it knows. Nothing is written, and nothing that the repository names is run. */
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"

/** The time limit, in milliseconds. */
const patience = 3000
const mostBytes = 4 * 1024 * 1024

/** A repository's settings may name programs that git would run, so these are turned off. */
const safely = "-c core.fsmonitor=false -c core.hooksPath=/dev/null".split(" ")

/** Variables that would make git look at another repository. */
const noOther = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, GIT_PREFIX: undefined }

/** What it writes. Undefined if it fails: an exit code of 1 says that there is nothing. */
export const run = (cwd: string, args: ReadonlyArray<string>, input = ""): Effect.Effect<string | undefined> =>
  Effect.callback((resume, signal) => {
    const child = execFile(
      "git",
      [...safely, ...args],
      {
        cwd,
        env: ChildEnvironment.of(process.env, { ...noOther, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" }),
        maxBuffer: mostBytes,
        timeout: patience,
        signal
      },
      (error, stdout) => resume(error === null || error.code === 1 ? Effect.succeed(stdout) : Effect.undefined)
    )
    // A git that ends early says why by its exit code.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
  })
