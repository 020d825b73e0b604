/**
 * Runs code in a thread of its own, which is ended at a deadline. So what may take forever, such as a regular expression of an agent, holds
 * up nothing.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Worker } from "node:worker_threads"
import { messageOf } from "./SystemError.ts"

/** `tooSlow`: it was ended at its deadline. `failed`: it ended by itself, without an answer. */
export class ThreadStopped extends Schema.TaggedError<ThreadStopped>()("ThreadStopped", {
  reason: Schema.Literals(["tooSlow", "failed"]),
  message: Schema.String
}) {}

export interface Options {
  /** JavaScript that declares a function `answer`, which gets `data`. It is text, so that a bundle needs no file for it. */
  readonly program: string
  readonly data: unknown
  /** Counts from when the thread has started. */
  readonly deadline: Duration.Input
  /** Gets the thread, which has ended when the effect has. */
  readonly onStart?: ((thread: Worker) => void) | undefined
}

/** Most megabytes of the thread's memory. */
const mostMemoryMb = 256

const rest = `
{
  const { parentPort, workerData } = require("node:worker_threads")
  parentPort.postMessage("ready")
  parentPort.postMessage(answer(workerData))
}
`

/** What `answer` returns, as it came from the thread: whoever calls this looks at it. */
export const run = ({ data, deadline, onStart, program }: Options): Effect.Effect<unknown, ThreadStopped> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const worker = new Worker(`${program}\n${rest}`, {
        eval: true,
        env: {},
        execArgv: [],
        workerData: data,
        resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb }
      })
      onStart?.(worker)
      return worker
    }),
    (worker) => answered(worker, deadline),
    (worker) => Effect.promise(() => worker.terminate())
  )

const answered = Effect.fnUntraced(function* (worker: Worker, deadline: Duration.Input) {
  const ready = Deferred.makeUnsafe<void, ThreadStopped>()
  const found = Deferred.makeUnsafe<unknown, ThreadStopped>()
  const fail = (message: string) => {
    const failure = Effect.fail(new ThreadStopped({ reason: "failed", message }))
    Deferred.doneUnsafe(ready, failure)
    Deferred.doneUnsafe(found, failure)
  }
  worker.on("message", (message: unknown) => {
    if (message === "ready") Deferred.doneUnsafe(ready, Effect.void)
    else Deferred.doneUnsafe(found, Effect.succeed(message))
  })
  worker.on("error", (error) => fail(messageOf(error)))
  worker.on("exit", () => fail("its thread has ended"))
  yield* Deferred.await(ready)
  return yield* Effect.timeoutOrElse(Deferred.await(found), {
    duration: deadline,
    orElse: () => Effect.fail(new ThreadStopped({ reason: "tooSlow", message: "it ran too long" }))
  })
})
