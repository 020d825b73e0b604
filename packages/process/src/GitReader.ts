/** Runs git in a folder of a workspace, to read what it knows. Nothing is written or fetched, and nothing that the repository names is run. */
import * as ChildEnvironment from "./ChildEnvironment.ts"
import * as ReadingGit from "./ReadingGit.ts"
import * as Effect from "effect/Effect"
import { type ChildProcess, execFile } from "node:child_process"

/** The time limit, in milliseconds. A machine that is busy with builds may need seconds to start a program. */
const patience = 6000
const defaultMostBytes = 4 * 1024 * 1024

/** Variables that would make git look at another repository. */
const noOther = {
  GIT_COMMON_DIR: undefined,
  GIT_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_PREFIX: undefined,
  GIT_WORK_TREE: undefined
}

export interface Options {
  readonly input?: string
  /** The most bytes of its output that are read. */
  readonly mostBytes?: number
}

export interface Output {
  /** Its exit code. */
  readonly code: number
  readonly text: string
  /** Whether it had more to say. The code does not count then. */
  readonly isCut: boolean
}

/** Starts it. Undefined if that fails at once, as in a folder that is a file. Other failures come as an output. */
const started = (
  cwd: string,
  args: ReadonlyArray<string>,
  mostBytes: number,
  ended: (output: Output | undefined) => void
): ChildProcess | undefined => {
  try {
    return execFile(
      "git",
      [...ReadingGit.guards, ...args],
      {
        cwd,
        env: ChildEnvironment.of(process.env, { ...noOther, ...ReadingGit.variables }),
        maxBuffer: mostBytes,
        killSignal: "SIGKILL"
      },
      (error, text) => ended(outputOf(error?.code ?? 0, text, error !== null))
    )
  } catch {
    return undefined
  }
}

/** What it writes. Undefined if it can't be started, is ended by a signal, or takes too long. */
export const run = (
  cwd: string,
  args: ReadonlyArray<string>,
  { input = "", mostBytes = defaultMostBytes }: Options = {}
): Effect.Effect<Output | undefined> =>
  Effect.callback((resume) => {
    const child = started(cwd, args, mostBytes, (output) => {
      clearTimeout(limit)
      resume(Effect.succeed(output))
    })
    if (child === undefined) return resume(Effect.undefined)
    /** Nobody waits for its end: a git that hangs in the system, or a program that it has left behind, may take forever. */
    const abandon = () => {
      child.kill("SIGKILL")
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy()
      child.unref()
    }
    const limit = setTimeout(() => {
      abandon()
      resume(Effect.undefined)
    }, patience)
    // A git that ends early says why by its exit code.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    return Effect.sync(() => {
      clearTimeout(limit)
      abandon()
    })
  })

const outputOf = (code: unknown, text: string, hasFailed: boolean): Output | undefined => {
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return { code: 0, text, isCut: true }
  if (typeof code !== "number" || (hasFailed && code === 0)) return undefined
  return { code, text, isCut: false }
}
