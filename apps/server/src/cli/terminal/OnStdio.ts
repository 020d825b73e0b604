/** A program whose standard input and output carry a protocol. Nothing else may write to standard output meanwhile. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { PlatformError } from "effect/PlatformError"
import type * as Scope from "effect/Scope"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { codeOf, reasonOf } from "@signalbox/system/SystemError"
import { constants } from "node:os"
import * as Stdout from "./Stdout.ts"
import { signals } from "./Signals.ts"

/** Standard input and output. */
export interface Bytes {
  readonly input: Stream.Stream<Uint8Array, StdioLost>
  readonly output: Sink.Sink<void, Uint8Array | string, unknown, StdioLost>
}

/** Standard input can't be read any more, or standard output can't be written. */
export class StdioLost extends Schema.TaggedError<StdioLost>()("StdioLost", {
  message: Schema.String
}) {}

const lost =
  (what: string) =>
  ({ reason: { cause } }: PlatformError): StdioLost =>
    new StdioLost({
      message: codeOf(cause) === "EPIPE" ? "Nobody reads the standard output any more" : `${what}: ${reasonOf(cause)}`
    })

/** How long the last messages may take to be read. */
const lastWordsGrace = "500 millis"

/** Completes with the exit code of the first signal. A second signal ends the process at once. */
const signalled = Effect.gen(function* () {
  const incoming = yield* signals
  const first = yield* Deferred.make<number>()
  yield* Effect.forkScoped(
    Effect.gen(function* () {
      const code = 128 + constants.signals[yield* Queue.take(incoming)]
      yield* Deferred.succeed(first, code)
      yield* Queue.take(incoming)
      process.exit(code)
    })
  )
  return Deferred.await(first)
})

/**
 * Runs until the effect completes or a signal comes, and sets the exit code of the process.
 *
 * @param run completes with the exit code; its scope closes then, or at the signal
 */
export const onStdio = <E, R>(
  run: (bytes: Bytes) => Effect.Effect<number, E, R>
): Effect.Effect<void, E, Exclude<R, Scope.Scope> | Stdio.Stdio> =>
  Effect.gen(function* () {
    const stopped = yield* signalled
    const stdio = yield* Stdio.Stdio
    const bytes = {
      input: Stream.mapError(stdio.stdin, lost("Standard input can't be read")),
      output: Sink.mapError(stdio.stdout({ endOnDone: false }), lost("Standard output can't be written"))
    }
    process.exitCode = yield* Effect.raceFirst(Effect.scoped(run(bytes)), stopped)
    yield* Effect.ignore(Effect.timeoutOption(Stdout.write(""), lastWordsGrace))
  }).pipe(Effect.scoped)
