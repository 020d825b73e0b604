/** A program that is started and left: it goes on when this process ends, and no signal to our group reaches it. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn } from "node:child_process"

export interface Background {
  /** The exit code, or the signal or error that ended it. Undefined while it runs. */
  readonly end: () => number | string | undefined
  /** The end of what it wrote to stderr, in characters that are bounded. */
  readonly said: () => string
}

/** What the program gets instead of our own: its working folder, and its whole environment. */
export interface Surroundings {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Most characters of stderr that are kept. */
const mostSaid = 16_384

/**
 * Starts a program in a session of its own. It is watched, and its stderr read, as long as the scope lives. It is not on
 * record, since it belongs to nobody.
 */
export const start = (
  command: string,
  args: ReadonlyArray<string>,
  surroundings: Surroundings = {}
): Effect.Effect<Background, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(command, args, { ...surroundings, detached: true, stdio: ["ignore", "ignore", "pipe"] })
        let end: number | string | undefined
        let said = ""
        child.on("error", ({ message }) => (end = message))
        child.on("exit", (code, signal) => (end = code ?? signal ?? "unknown"))
        child.stderr.on("data", (chunk) => (said = `${said}${String(chunk)}`.slice(-mostSaid)))
        return { child, end: () => end, said: () => said }
      }),
      ({ child }) =>
        Effect.sync(() => {
          child.stderr.destroy()
          child.unref()
        })
    ),
    ({ end, said }) => ({ end, said })
  )
