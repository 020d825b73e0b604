/** A program that is used over its pipes. Its stderr is read, and it is ended politely if there is time. */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { Refused } from "@signalbox/contracts/Refused"
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as GuardedProcess from "./GuardedProcess.ts"
import type { ProcessExit } from "./ProcessExit.ts"
import type { StopGrace } from "./Program.ts"
import * as StderrTail from "./StderrTail.ts"

/** A running program: how to communicate with it, and how it ends. */
export interface PipedProcess<Exit = ProcessExit> {
  /** The id of its process. */
  readonly pid: number | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** When a byte last went over its stdin or stdout, or its start. Milliseconds since 1970. */
  readonly lastSignAt: () => number
  /** `closed` as soon as communication has ended in either direction. */
  readonly pipes: () => "open" | "closed"
  /** `input`: its stdout. `output`: its stdin. */
  readonly transport: {
    readonly input: Stream.Stream<Uint8Array, unknown>
    readonly output: Sink.Sink<void, Uint8Array, unknown, unknown>
  }
  /** Completes when the process has exited and its stderr is read. */
  readonly exited: Effect.Effect<Exit>
  /** The end of its stderr so far. */
  readonly stderr: () => Pick<ProcessExit, "stderrTail" | "stderrLines">
  /** Ends it politely: closes stdin, then sends SIGTERM and SIGKILL to the whole group. */
  readonly stop: Effect.Effect<Exit>
  /** Kills the whole group at once. */
  readonly kill: Effect.Effect<Exit>
}

export interface StartOptions extends Omit<GuardedProcess.Options, "oneOutput"> {
  readonly stopGrace: StopGrace
  /** Secrets that are removed from its stderr. */
  readonly secrets: Secrets
  /** Called with every complete line of stderr, without secrets. */
  readonly onStderr?: ((line: string) => void) | undefined
  /** Called when the output has ended, before its readers see it. Synchronous. */
  readonly onOutputEnd?: (() => void) | undefined
}

/** Starts the process; closing the scope ends its whole group. */
export const start = Effect.fn("PipedProcess.start")(function* (
  options: StartOptions
): Effect.fn.Return<PipedProcess, Refused, Scope.Scope> {
  const { secrets, stopGrace: grace } = options
  const { child, over, signal } = yield* GuardedProcess.start(options)
  // Node keeps what comes for who listens: the program may exit before anybody reads.
  child.stdout.on("readable", () => {})
  const tail = StderrTail.make(secrets)
  const onStderr = (lines: ReadonlyArray<string>) => {
    if (options.onStderr) for (const line of lines) options.onStderr(line)
  }
  child.stderr.on("data", (chunk: Uint8Array) => onStderr(tail.push(chunk)))
  const clock = yield* Clock.Clock
  const startedAt = clock.currentTimeMillisUnsafe()
  let lastSignAt = startedAt
  const heard = <A>(chunks: A): A => {
    lastSignAt = clock.currentTimeMillisUnsafe()
    return chunks
  }
  const words: PipedProcess["stderr"] = () => ({
    stderrTail: tail.lines(),
    stderrLines: tail.total()
  })
  const exit = Deferred.makeUnsafe<ProcessExit>()
  yield* over.pipe(
    Effect.map(({ leftovers, ...code }) => {
      onStderr(tail.end())
      Deferred.doneUnsafe(exit, Exit.succeed({ ...code, ...words(), ...(leftovers && { leftovers }) }))
    }),
    Effect.forkDetach
  )

  const within = (duration: Duration.Input) => Effect.timeoutOption(Deferred.await(exit), duration)
  const kill = Effect.andThen(
    Effect.sync(() => signal("SIGKILL")),
    Deferred.await(exit)
  )
  const stop = Effect.gen(function* () {
    child.stdin.end()
    const alone = yield* within(grace.closeInput)
    if (Option.isSome(alone)) return alone.value
    signal("SIGTERM")
    const asked = yield* within(grace.terminate)
    if (Option.isSome(asked)) return asked.value
    return yield* kill
  })

  const output = NodeStream.fromReadable<Uint8Array, unknown>({
    evaluate: () => child.stdout,
    onError: (error) => error
  }).pipe(Stream.mapArray(heard))
  const { onOutputEnd } = options
  return {
    pid: child.pid,
    startedAt,
    lastSignAt: () => lastSignAt,
    pipes: () => (child.stdin.writable && child.stdout.readable ? "open" : "closed"),
    transport: {
      input: onOutputEnd ? Stream.ensuring(output, Effect.sync(onOutputEnd)) : output,
      output: NodeSink.fromWritable<unknown, Uint8Array>({
        evaluate: () => child.stdin,
        onError: (error) => error
      }).pipe(Sink.mapInputArray(heard))
    },
    exited: Deferred.await(exit),
    stderr: words,
    stop,
    kill
  }
})
