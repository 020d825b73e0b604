/** Runs `signalbox backup` beside a server, in a process that may be killed meanwhile. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { spawn } from "node:child_process"
import { createWriteStream, existsSync, watch } from "node:fs"
import { basename, dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Backup from "../src/storage/Backup.ts"
import type { SpanKill } from "./KillPoint.ts"
import { compileCache } from "./ServerLife.ts"

export interface Options {
  readonly stateDirectory: string
  readonly target: string
  readonly log: string
  /** `NAME=value`, set in the environment of the copier. */
  readonly mark: string
  /** The file that Node runs, as for a server. */
  readonly program: string
  readonly diesAfterMs: number | undefined
}

export interface Copier {
  /** Completes when the copy is being written, or the copier has ended without it. */
  readonly began: Effect.Effect<void>
  /** The signal that killed the copier, or its exit code. */
  readonly ended: Effect.Effect<NodeJS.Signals | number>
}

/** Starts a copier. It is killed when the scope closes. */
export const start = ({ diesAfterMs, log, mark, program, stateDirectory, target }: Options) =>
  Effect.acquireRelease(
    Effect.sync((): Copier & { readonly kill: () => void } => {
      const [name = "", value = ""] = mark.split("=")
      const span: SpanKill = { name: "Backup.backup", edge: "start", nth: 1, afterMs: diesAfterMs ?? 0 }
      const began = Deferred.makeUnsafe<void>()
      const ended = Deferred.makeUnsafe<NodeJS.Signals | number>()
      const watching = watch(dirname(target), (_, file) => {
        if (file?.startsWith(basename(target)) === true) Deferred.doneUnsafe(began, Exit.void)
      })
      const child = spawn(process.execPath, [program, "backup", target, "--state-dir", stateDirectory], {
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...process.env,
          NODE_COMPILE_CACHE: compileCache,
          [name]: value,
          ...(diesAfterMs !== undefined && { CHAOS_SPAN: JSON.stringify(span), CHAOS_DEATH: `${log}.death` })
        }
      })
      const notes = createWriteStream(log)
      child.stdout.pipe(notes, { end: false })
      child.stderr.pipe(notes, { end: false })
      child.on("exit", (code, signal) => {
        watching.close()
        Deferred.doneUnsafe(began, Exit.void)
        Deferred.doneUnsafe(ended, Exit.succeed(signal ?? code ?? 1))
      })
      return {
        began: Deferred.await(began),
        ended: Deferred.await(ended),
        // The system may have given the pid of an ended process to another one.
        kill: () => void (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
      }
    }),
    ({ ended, kill }) => Effect.andThen(Effect.sync(kill), ended)
  )

/** Says what is wrong with the copy. A copy that exists can be restored and holds all threads; a killed copier may leave none. */
export const faults = Effect.fnUntraced(function* (
  target: string,
  ended: NodeJS.Signals | number,
  threadIds: ReadonlyArray<string>
) {
  if (ended !== 0 && ended !== "SIGKILL") return [`the backup ended with ${ended}`]
  if (ended === "SIGKILL" && !existsSync(target)) return []
  const problem = yield* Backup.inspect(target).pipe(
    Effect.map((found) => found.problem?.title),
    Effect.catch(({ message }) => Effect.succeed(message))
  )
  if (problem !== undefined) return [`the backup ended with ${ended}, and is none: ${problem}`]
  const held = threadsIn(target)
  return threadIds.filter((id) => !held.has(id)).map((id) => `the backup can be restored, and has no ${id}`)
})

const threadsIn = (target: string): ReadonlySet<unknown> => {
  const database = new DatabaseSync(target, { readOnly: true })
  const ids = database.prepare("SELECT thread_id AS id FROM threads").all()
  database.close()
  return new Set(ids.map(({ id }) => id))
}
