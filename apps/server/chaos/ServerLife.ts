/** One life of the real server: one process, on a state folder that outlives it. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { spawn } from "node:child_process"
import { createWriteStream, existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { SpanKill } from "./KillPoint.ts"
import type { Mutant } from "./Mutant.ts"

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The time of `performance.now()` at which it was killed, or else at which we noticed its end. */
  readonly at: number
}

export interface ServerLife {
  readonly pid: number
  /** Completes when the server listens. Never completes when it ends before. */
  readonly ready: Effect.Effect<{ readonly url: string; readonly token: string }>
  readonly ended: Effect.Effect<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
}

export interface Options {
  readonly stateDirectory: string
  /** The file for the output of the server. */
  readonly log: string
  /** `NAME=value`, set in the environment of the server. */
  readonly mark: string
  readonly span: SpanKill | undefined
  /** A build that breaks a promise, run instead of the product. */
  readonly mutant: Mutant | undefined
  /** The file that Node runs: {@link entry}, or what `MortalBuild` made of it. */
  readonly program: string
}

/** The program that runs the server and can kill itself. */
export const entry = fileURLToPath(new URL("MortalServer.ts", import.meta.url))
export const compileCache = fileURLToPath(new URL("../../../node_modules/.cache/signalbox", import.meta.url))

/** Starts a server. It is killed when the scope closes. */
export const start = ({ log, mark, mutant, program, span, stateDirectory }: Options) =>
  Effect.acquireRelease(
    Effect.sync((): ServerLife => {
      const [name = "", value = ""] = mark.split("=")
      const death = `${log}.death`
      let killedAt: number | undefined
      const child = spawn(process.execPath, [program, "serve", "--port", "0", "--state-dir", stateDirectory], {
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...process.env,
          NODE_COMPILE_CACHE: compileCache,
          [name]: value,
          ...(span && { CHAOS_SPAN: JSON.stringify(span), CHAOS_DEATH: death }),
          ...(mutant && { CHAOS_MUTANT: mutant })
        }
      })
      const ready = Deferred.makeUnsafe<{ readonly url: string; readonly token: string }>()
      const ended = Deferred.makeUnsafe<Ended>()
      const notes = createWriteStream(log)
      let said = ""
      child.stderr.pipe(notes)
      child.stdout.on("data", (chunk) => {
        said += String(chunk)
        const [, url, token] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/.exec(said) ?? []
        if (url !== undefined && token !== undefined) Deferred.doneUnsafe(ready, Exit.succeed({ url, token }))
      })
      child.on("exit", (code, signal) => {
        if (existsSync(death)) killedAt = Number(readFileSync(death, "utf8")) - performance.timeOrigin
        Deferred.doneUnsafe(ended, Exit.succeed({ code, signal, at: killedAt ?? performance.now() }))
      })
      return {
        pid: child.pid ?? 0,
        ready: Deferred.await(ready),
        ended: Deferred.await(ended),
        kill: (signal) => {
          // The system may have given the pid of an ended process to another one.
          if (child.exitCode !== null || child.signalCode !== null) return
          killedAt ??= performance.now()
          child.kill(signal)
        }
      }
    }),
    (life) =>
      Effect.andThen(
        Effect.sync(() => life.kill("SIGKILL")),
        life.ended
      )
  )
