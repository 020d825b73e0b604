/** Speaks ACP on standard input and output. Nothing else may write to standard output meanwhile. */
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stdio from "effect/Stdio"
import { constants } from "node:os"
import * as Stdout from "../terminal/Stdout.ts"
import { signals } from "../terminal/Signals.ts"

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
export const overStdio = <E, R>(
  run: (link: MessageLink.MessageLink) => Effect.Effect<number, E, R>
): Effect.Effect<void, E, Exclude<R, Scope.Scope> | Stdio.Stdio> =>
  Effect.gen(function* () {
    const stopped = yield* signalled
    const code = yield* Effect.scoped(
      Effect.gen(function* () {
        const stdio = yield* Stdio.Stdio
        const link = yield* MessageLink.overBytes({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) })
        return yield* Effect.raceFirst(Effect.scoped(run(link)), stopped)
      })
    )
    yield* Effect.ignore(Effect.timeoutOption(Stdout.write(""), lastWordsGrace))
    process.exitCode = code
  }).pipe(Effect.scoped)
