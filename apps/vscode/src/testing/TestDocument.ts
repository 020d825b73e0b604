/** What stands in a view, for tests: it connects through the extension and follows threads, as the chat's document does. */
import * as Client from "@signalbox/client/Client"
import * as CurrentClient from "@signalbox/client/CurrentClient"
import { following } from "@signalbox/client/Following"
import { TunnelSocket } from "@signalbox/client/TunnelSocket"
import { follow, type Watched } from "@signalbox/client/WatchedThread"
import type { FromView, ToView } from "@signalbox/contracts/HostMessage"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Socket from "effect/socket/Socket"
import { randomUUID } from "node:crypto"

export interface TestDocument {
  readonly take: (message: ToView) => void
  /** Connects, and follows the threads. Never ends by itself. */
  readonly run: Effect.Effect<never>
}

export interface Options {
  readonly threads: ReadonlyArray<ThreadId>
  readonly tell: (message: FromView) => void
  /** Gets the client of each connection, and undefined when it is over. */
  readonly onClient: (client: Client.Client | undefined) => void
  /** Gets the state of each thread, each time that it changes. */
  readonly onThread: (threadId: ThreadId, watched: Watched) => void
}

export const make = ({ onClient, onThread, tell, threads }: Options): TestDocument => {
  const client = CurrentClient.make()
  let socket: TunnelSocket | undefined
  const connection = Effect.gen(function* () {
    const through = yield* Socket.fromWebSocket(
      Effect.acquireRelease(
        Effect.sync(() => (socket = new TunnelSocket(randomUUID(), tell))),
        (one) => Effect.sync(() => one.close())
      ),
      { openTimeout: "60 seconds" }
    )
    const opened = yield* Client.open(through)
    yield* opened.client.hello()
    client.set(opened.client)
    onClient(opened.client)
    yield* opened.gone
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        client.set(undefined)
        onClient(undefined)
      })
    ),
    Effect.scoped,
    Effect.ignore
  )
  const each = threads.map((threadId) => {
    let watched: Watched = { state: "loading" }
    const set = (next: Watched) => onThread(threadId, (watched = next))
    return Effect.andThen(
      follow(threadId, { get: () => watched, set }, { following: following(client.after, 0), now: Date.now }),
      Effect.never
    )
  })
  return {
    take: (message) => {
      if (message.type === "connected" || message.type === "frame" || message.type === "disconnected") {
        if (message.connection === socket?.connection) socket.take(message)
      }
    },
    run: Effect.andThen(
      Effect.all([Effect.forever(Effect.andThen(connection, Effect.sleep("20 millis"))), ...each], {
        concurrency: "unbounded",
        discard: true
      }),
      Effect.never
    )
  }
}
