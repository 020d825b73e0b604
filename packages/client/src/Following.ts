/** A stream of the server that continues after every reconnection. */
import { OutOfScope } from "@signalbox/contracts/ClientScope"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import { type Client, whenLost } from "./Client.ts"
import type { ClientAfter } from "./CurrentClient.ts"

/** "again": the stream is opened again immediately. */
export type OnBatch<A> = (batch: ReadonlyArray<A>) => "again" | void

/**
 * Opens the stream on each new connection, and passes its values on. Ends only with an error of the stream itself. A
 * stream that this client may not have is tried again on the next connection: a change of scope ends the present one.
 */
export type Follow<Any = Client> = <A, E>(
  openStream: (client: Any) => Stream.Stream<A, E | RpcClientError>,
  onBatch: OnBatch<A>
) => Effect.Effect<never, Exclude<Exclude<E, RpcClientError>, OutOfScope>>

/** Passes whole batches on, with `pause` between two of them. */
export const following =
  <Any = Client>(clientAfter: ClientAfter<Any>, pause: Duration.Input): Follow<Any> =>
  (openStream, onBatch) =>
    Effect.gen(function* () {
      let spent: Any | undefined
      while (true) {
        const client: Any = yield* clientAfter(spent)
        const ending = yield* batches(openStream(client), onBatch, pause).pipe(
          whenLost("lost" as const),
          whenOutOfScope("lost" as const)
        )
        if (ending === "lost") spent = client
        else if (ending === "ended") yield* Effect.sleep("1 second")
      }
    })

const isOutOfScope = (error: unknown): error is OutOfScope => error instanceof OutOfScope

const whenOutOfScope =
  <B>(instead: B) =>
  <A, E, R>(call: Effect.Effect<A, E | OutOfScope, R>): Effect.Effect<A | B, Exclude<E, OutOfScope>, R> =>
    call.pipe(Effect.catchIf(isOutOfScope, () => Effect.succeed(instead), Effect.fail))

const batches = <A, E>(stream: Stream.Stream<A, E>, onBatch: OnBatch<A>, pause: Duration.Input) =>
  Effect.gen(function* () {
    const queue = yield* Stream.toQueue(stream, { capacity: 1024 })
    while (true) {
      const batch = yield* Queue.takeAll(queue)
      if (onBatch(batch) === "again") return "again" as const
      yield* Effect.sleep(pause)
    }
  }).pipe(
    Effect.scoped,
    Effect.catchTag("Done", () => Effect.succeed("ended" as const))
  )
