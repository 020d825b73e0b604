/** An agent as a process of ours, or as a connection to one that runs elsewhere: talked to over its pipes, its stderr drained, and ended politely where there is time for that. */
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
import type { Secrets } from "@signalbox/redaction/Secrets"
import type { ProviderError } from "../base/ProviderError.ts"
import type { AgentExit } from "./AgentExit.ts"
import * as GuardedProcess from "./GuardedProcess.ts"
import type { StopGrace } from "./Launch.ts"
import * as RemoteAgent from "./RemoteAgent.ts"
import type { RunningAgent } from "./RunningAgent.ts"
import * as StderrTail from "./StderrTail.ts"

export interface StartOptions extends Omit<GuardedProcess.Options, "oneOutput"> {
  readonly stopGrace: StopGrace
  /** What its words on stderr are told without. */
  readonly secrets: Secrets
  /** Every line of stderr, when it is complete, without secrets. */
  readonly onStderr?: ((line: string) => void) | undefined
  /** Synchronously when the output has ended, before anybody who reads it learns. */
  readonly onOutputEnd?: (() => void) | undefined
}

/** Starts the process; closing the scope ends its whole group. */
export const start = Effect.fn("AgentProcess.start")(function* (
  options: StartOptions
): Effect.fn.Return<RunningAgent, ProviderError, Scope.Scope> {
  const { cwd, launch, secrets, stopGrace: grace } = options
  if (launch.remote !== undefined) return yield* RemoteAgent.connect(launch.remote, options)
  // Its sessions are about this folder, wherever it starts.
  if (launch.cwd !== undefined) yield* GuardedProcess.checkFolder(cwd)
  const { child, over, signal } = yield* GuardedProcess.start({ ...options, cwd: launch.cwd ?? cwd })
  // Kept for who reads it later, should it exit before.
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
  const words: RunningAgent["stderr"] = () => ({
    stderrTail: tail.lines(),
    stderrLines: tail.total()
  })
  const exit = Deferred.makeUnsafe<AgentExit>()
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
