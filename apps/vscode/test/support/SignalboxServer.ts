/** A real server in a state folder of its own, found and started as the extension does it. */
import type { RunningServer } from "@signalbox/attach/RunningServer"
import * as RunningServerFile from "@signalbox/attach/RunningServer"
import * as StartedServer from "@signalbox/attach/StartedServer"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const { entryIn }: { readonly entryIn: (root: string) => string } = createRequire(import.meta.url)(
  join(repository, "scripts", "entry.cjs")
)

/** The program of this repository with its first arguments. */
const command = [process.execPath, entryIn(repository)] as const

export interface SignalboxServer {
  readonly state: string
  /** A folder for threads. */
  readonly folder: string
  readonly find: Effect.Effect<RunningServer, unknown>
  /** Kills the server that runs, without a warning. Another one is started by the next `find`. */
  readonly kill: () => void
}

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const make = Effect.acquireRelease(
  Effect.sync((): SignalboxServer => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-vscode-")))
    const state = join(home, "state")
    const folder = join(home, "ledger")
    mkdirSync(state, { mode: 0o700 })
    mkdirSync(folder)
    return {
      state,
      folder,
      find: StartedServer.ensure(state, { command, endsAfter: "1m" }),
      kill: () => {
        const running = RunningServerFile.announcedIn(state)
        if (running !== undefined) process.kill(running.pid, "SIGKILL")
      }
    }
  }),
  ({ folder, state }) =>
    Effect.promise(async () => {
      const running = RunningServerFile.announcedIn(state)
      if (running !== undefined) {
        process.kill(running.pid, "SIGTERM")
        await until(() => !lives(running.pid))
      }
      rmSync(join(folder, ".."), { recursive: true, force: true })
    })
)
