/**
 * Short runs of an agent's program, to learn something about it. They are no part of a session, and are always limited
 * in time.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as PlatformError from "effect/PlatformError"
import * as ChildProcess from "effect/process/ChildProcess"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { stripVTControlCharacters } from "node:util"
import * as ProcessGuard from "@signalbox/process/ProcessGuard"
import * as ProcessSweep from "@signalbox/process/ProcessSweep"
import { markerVariable } from "@signalbox/process/ProcessLedger"

export interface Program {
  /** Absolute. */
  readonly path: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  /** The program's whole environment. An undefined variable is left out. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The result of a run. Output is plain text without colours, of limited length. */
export interface Printed {
  /** Undefined if a signal ended it. */
  readonly exitCode?: number
  readonly signal?: string
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
}

/** The program could not be started. */
export class NotStarted extends Data.TaggedError("NotStarted")<{
  readonly path: string
  readonly cause: PlatformError.PlatformError
}> {}

/** The program was killed, since its time was over or its output had no end. */
export class TimedOut extends Data.TaggedError("TimedOut")<{
  readonly path: string
  readonly args: ReadonlyArray<string>
  readonly afterMs: number
  /** Whether it printed more than `flood` bytes. */
  readonly flooded: boolean
  readonly stdout: string
  readonly stderr: string
}> {}

/** Most characters that are kept of each stream. */
const longestOutput = 65_536

/**
 * Bytes after which a stream counts as endless. Output beyond `longestOutput` is read and dropped, so that the program
 * can end.
 */
const flood = 8 * 1024 * 1024

/** Time for the rest of the output after the exit. A helper that outlives the program may hold its pipes open. */
const drainTime = Duration.millis(500)

class Output {
  #text = ""
  #bytes = 0
  readonly #decoder = new TextDecoder()
  readonly #full: Deferred.Deferred<void>

  constructor(full: Deferred.Deferred<void>) {
    this.#full = full
  }

  add(bytes: Uint8Array): void {
    const room = longestOutput - this.#text.length
    if (room > 0) this.#text += this.#decoder.decode(bytes, { stream: true }).slice(0, room)
    this.#bytes += bytes.length
    if (this.#bytes > flood) Deferred.doneUnsafe(this.#full, Exit.void)
  }

  get plain(): string {
    return stripVTControlCharacters(this.#text).replaceAll("\r\n", "\n")
  }
}

/** Runs the program until its end, or until `timeout`. No process of it continues. */
export const run = (
  program: Program,
  timeout: Duration.Input
): Effect.Effect<Printed, NotStarted | TimedOut, ChildProcessSpawner> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const full = Deferred.makeUnsafe<void>()
    const stdout = new Output(full)
    const stderr = new Output(full)
    // Descendants inherit the mark even outside of the process group, and end with the program.
    const marker = randomUUID()
    const marked = { ...program, env: { ...program.env, [markerVariable]: marker } }
    const ended = yield* Effect.asSome(Effect.scoped(runInto(marked, stdout, stderr))).pipe(
      Effect.raceFirst(Effect.as(Deferred.await(full), Option.none())),
      Effect.timeoutOption(timeout),
      Effect.map(Option.flatten),
      Effect.ensuring(ProcessSweep.sweep(marker)),
      guarded(marker)
    )
    if (Option.isSome(ended)) {
      const durationMs = (yield* Clock.currentTimeMillis) - startedAt
      return { ...ended.value, stdout: stdout.plain, stderr: stderr.plain, durationMs }
    }
    const { args, path } = program
    const afterMs = (yield* Clock.currentTimeMillis) - startedAt
    return yield* new TimedOut({
      path,
      args,
      afterMs,
      flooded: Deferred.isDoneUnsafe(full),
      stdout: stdout.plain,
      stderr: stderr.plain
    })
  })

/** Ends processes with this mark even if Signalbox is killed or exits early. */
const guarded =
  (marker: string) =>
  <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => ProcessGuard.watchMark(marker)),
      () => run,
      () => Effect.sync(() => ProcessGuard.releaseMark(marker))
    )

const runInto = Effect.fnUntraced(function* (program: Program, stdout: Output, stderr: Output) {
  const handle = yield* ChildProcess.make(program.path, program.args, {
    cwd: program.cwd,
    env: program.env,
    stdin: "ignore",
    killSignal: "SIGKILL",
    forceKillAfter: "1 second"
  }).pipe(Effect.mapError((cause) => new NotStarted({ path: program.path, cause })))
  // The program leads a group. On systems that hide environments, the guard knows only the group.
  const group = Number(handle.pid)
  yield* Effect.acquireRelease(
    Effect.sync(() => ProcessGuard.watch(group)),
    () => Effect.sync(() => ProcessGuard.release(group))
  )
  const reading = yield* Effect.forkScoped(
    Effect.all([drain(handle.stdout, stdout), drain(handle.stderr, stderr)], { concurrency: "unbounded" })
  )
  const exit = yield* Effect.match(handle.exitCode, {
    onSuccess: (exitCode) => ({ exitCode: Number(exitCode) }),
    // The platform reports the signal only in its error's text.
    onFailure: (error) => ({ signal: /'(SIG\w+)'/.exec(String(error.reason.cause))?.[1] ?? "unknown" })
  })
  yield* Effect.timeoutOption(Fiber.join(reading), drainTime)
  return exit
})

/** Reads a pipe. A broken pipe counts as its end, since the exit explains the rest. */
const drain = <E>(stream: Stream.Stream<Uint8Array, E>, output: Output): Effect.Effect<void> =>
  Effect.ignore(Stream.runForEach(stream, (bytes) => Effect.sync(() => output.add(bytes))))
