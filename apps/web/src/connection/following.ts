/** A stream of the server's that goes on after every reconnection. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import { type Client, whenLost } from "./Client.ts"
import { clientAfter } from "./link.ts"

/** The page is painted at most this often. */
const paintEvery = "50 millis"

/**
 * Opens the stream on each new connection and hands over what came, whole batches at most every 50 ms. Who answers a batch with
 * "again" has the stream opened anew, at once. Ends only with an error of the stream's own.
 */
export const following = <A, E>(
  openStream: (client: Client) => Stream.Stream<A, E | RpcClientError>,
  onBatch: (batch: ReadonlyArray<A>) => "again" | void
): Effect.Effect<never, Exclude<E, RpcClientError>> =>
  Effect.gen(function* () {
    let spent: Client | undefined
    while (true) {
      const client = yield* clientAfter(spent)
      const ending = yield* batches(openStream(client), onBatch).pipe(whenLost("lost" as const))
      if (ending === "lost") spent = client
      else if (ending === "ended") yield* Effect.sleep("1 second")
    }
  })

const batches = <A, E>(stream: Stream.Stream<A, E>, onBatch: (batch: ReadonlyArray<A>) => "again" | void) =>
  Effect.gen(function* () {
    const queue = yield* Stream.toQueue(stream, { capacity: 1024 })
    while (true) {
      const batch = yield* Queue.takeAll(queue)
      if (onBatch(batch) === "again") return "again" as const
      yield* Effect.sleep(paintEvery)
    }
  }).pipe(
    Effect.scoped,
    Effect.catchTag("Done", () => Effect.succeed("ended" as const))
  )
