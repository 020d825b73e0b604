/** Processes that do nothing but live, in a group of their own as agents do; and which processes carry a mark. */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { markerVariable } from "../../src/ProcessLedger.ts"
import { find } from "../../src/MarkedProcesses.ts"

export interface Sleepers {
  /** The leader, and so the group. */
  readonly pid: number
  /** In the same group. */
  readonly child: number
  /** Ends the leader alone, and waits until it is buried. */
  readonly behead: Effect.Effect<void>
}

export interface Options {
  /** What they carry in their environment. */
  readonly marker?: string
  /** Who ignores SIGTERM. */
  readonly stubborn?: "both" | "child"
  /** The shell becomes a sleeper without any environment when it gets SIGTERM. */
  readonly sheds?: true
}

/** A shell that has started a sleeper and waits for it; both don't heed their input. Ended with the scope. */
export const sleepers = (options: Options = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const forBoth = options.stubborn === undefined ? ":" : "trap '' TERM"
      const forShell =
        options.stubborn === "child" ? "trap - TERM" : options.sheds ? "trap 'exec env -i sleep 600' TERM" : ":"
      const script = `${forBoth}; sleep 600 & child=$!; ${forShell}; echo $child; wait; sleep 600`
      const env = { ...process.env, ...(options.marker !== undefined && { [markerVariable]: options.marker }) }
      const shell = spawn("/bin/sh", ["-c", script], { detached: true, env, stdio: ["ignore", "pipe", "inherit"] })
      const exited = once(shell, "exit")
      const [line] = await once(createInterface({ input: shell.stdout }), "line")
      // A child has the name of its parent before it runs its own program.
      while (readFileSync(`/proc/${Number(line)}/comm`, "utf8") !== "sleep\n")
        await new Promise((resolve) => setTimeout(resolve, 2))
      const behead = Effect.promise(async () => {
        shell.kill("SIGKILL")
        await exited
      })
      return { pid: shell.pid ?? 0, child: Number(line), behead } satisfies Sleepers
    }),
    ({ pid }) =>
      Effect.sync(() => {
        try {
          process.kill(-pid, "SIGKILL")
        } catch {
          // Ended by what was tested.
        }
      })
  )

/** The living processes that were started with this variable in their environment. */
export const carriersOf = (name: string, value: string): ReadonlyArray<number> =>
  find(`${name}=${value}`).map(({ pid }) => pid)
