/** `signalbox` as other programs call it: a child process with its streams and its exit code. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as CommandLine from "effect/process/CommandLine"
import { temporaryFolder } from "../../../../../packages/system/test/support/TemporaryFolder.ts"

const repository = fileURLToPath(new URL("../../../../..", import.meta.url))

export const entry = join(repository, "apps", "server", "src", "bin.ts")
/** The build of the above. `npm test` makes it first; elsewhere `node scripts/build.mjs` does. */
export const bundle = join(repository, "apps", "server", "dist", "bin.js")
const { entryIn }: { readonly entryIn: (root: string) => string } = createRequire(import.meta.url)(
  join(repository, "scripts", "entry.cjs")
)
/** What the launcher runs: the bundle, which starts at half the cost, or the sources where any of them is newer. */
export const program = entryIn(repository)
export const launcher = join(repository, "bin", "signalbox.cjs")
export const agentsFolder = join(repository, "packages", "stand-in-agents", "bin")
const scripted = join(repository, "packages", "stand-in-agents", "src", "scripted", "main.ts")

/** `--agent` for the agent that plays the steps it is prompted with. */
export const scriptedAgent = `${process.execPath} ${scripted}`

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  readonly stdin: ChildProcessWithoutNullStreams["stdin"]
  readonly stdout: ChildProcessWithoutNullStreams["stdout"]
  readonly kill: (signal: NodeJS.Signals) => void
  /** Completes when stdout and stderr together hold a match. Dies when the process has ended without one. */
  readonly says: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
  readonly ended: Effect.Effect<Ended>
}

export { temporaryFolder }

export interface Options {
  readonly env?: Readonly<Record<string, string>>
  /** The file that Node runs; what the launcher runs by default. */
  readonly program?: string
  /** A command that runs the words after it in its own place. */
  readonly within?: ReadonlyArray<string>
  readonly cwd?: string
  /** On a terminal of its own, by util-linux's `script`; stdout and stderr then come as one. */
  readonly terminal?: boolean
}

export const hasTerminals = existsSync("/usr/bin/script") && process.platform === "linux"

/** Starts it with a state folder of its own; it is killed with the scope. */
export const start = (args: ReadonlyArray<string>, options: Options = {}) =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const words = [...(options.within ?? []), process.execPath, options.program ?? program, ...args]
      const [command = "", ...rest] = options.terminal
        ? // `exec`: a shell that stays would be killed by Ctrl-C, and its end would be taken for ours.
          ["script", "-qefc", `exec ${CommandLine.display(words)}`, "/dev/null"]
        : words
      const child = spawn(command, rest, {
        cwd: options.cwd ?? temporaryFolder("cwd"),
        env: {
          ...process.env,
          SIGNALBOX_STATE_DIR: temporaryFolder("state"),
          FAKE_CURSOR_TIME_SCALE: "0",
          ...options.env
        }
      })
      let stdout = ""
      let stderr = ""
      const listeners = new Set<() => void>()
      const heard = () => listeners.forEach((listener) => listener())
      child.stdout.on("data", (chunk) => {
        stdout += String(chunk)
        heard()
      })
      child.stderr.on("data", (chunk) => {
        stderr += String(chunk)
        heard()
      })
      let isOver = false
      const ended = new Promise<Ended>((resolve) => {
        child.on("close", (code, signal) => {
          resolve({ code, signal, stdout, stderr })
          isOver = true
          heard()
        })
      })
      return {
        pid: child.pid ?? 0,
        stdin: child.stdin,
        stdout: child.stdout,
        kill: (signal) => child.kill(signal),
        says: (pattern) =>
          Effect.callback((resume) => {
            const look = () => {
              const match = pattern.exec(stdout + stderr)
              if (match === null && !isOver) return
              listeners.delete(look)
              const missing = () => Effect.die(new Error(`It ended without saying ${pattern}:\n${stdout}${stderr}`))
              resume(match === null ? missing() : Effect.succeed(match))
            }
            listeners.add(look)
            look()
            return Effect.sync(() => listeners.delete(look))
          }),
        ended: Effect.promise(() => ended)
      }
    }),
    (running, exit) =>
      Effect.andThen(
        Effect.sync(() => running.kill("SIGKILL")),
        Exit.isSuccess(exit) ? Effect.asVoid(running.ended) : Effect.void
      )
  )

/** Runs it to its end, with this on its standard input. */
export const call = (args: ReadonlyArray<string>, options: Options & { readonly input?: string } = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const running = yield* start(args, options)
      running.stdin.end(options.input ?? "")
      return yield* running.ended
    })
  )

/** Whether any process of a group lives. Zombies do not count: they hold nothing. */
export const groupLives = (group: number): boolean =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      const [state, , pgrp] = statOf(pid)
      return Number(pgrp) === group && state !== "Z"
    })

class GroupLives extends Data.TaggedError("GroupLives")<{ readonly group: number }> {}

/** Fails when something of a group is still there after a minute. On a busy machine, a signal takes a moment to do its work. */
export const groupEnds = (group: number) =>
  Effect.suspend(() => (groupLives(group) ? new GroupLives({ group }) : Effect.void)).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 3000 })
  )

/** Fields of /proc/PID/stat from the state on. */
const statOf = (pid: string): ReadonlyArray<string> => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return []
  }
}
