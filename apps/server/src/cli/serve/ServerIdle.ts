/** Whether anybody needs the server: a client that is connected, or an agent at work. */
import * as ListFrames from "@signalbox/client/ListFrames"
import type { ThreadSummary, TurnStatus } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { HttpApp } from "../../http/HttpApp.ts"
import type { Threads } from "../../orchestration/Threads.ts"

export interface Server {
  readonly app: Pick<HttpApp["Service"], "connected">
  readonly threads: Pick<Threads["Service"], "watchAll">
}

/** Milliseconds that the first client has at least: whoever started the server has to connect. */
const firstClientWithin = 60_000

/** A turn that waits for a person isn't one of these: without clients, nobody answers. */
const atWork: ReadonlySet<TurnStatus> = new Set(["sent", "working", "cancelling"])

interface Need {
  readonly isNeeded: boolean
  /** Whether a client was ever connected. */
  readonly wasVisited: boolean
}

/** Completes when nobody has needed the server for so many milliseconds in a row. */
export const lasting = ({ app, threads }: Server, milliseconds: number): Effect.Effect<void> => {
  const working = threads.watchAll.pipe(
    Stream.scan((): ReadonlyArray<ThreadSummary> => [], ListFrames.withFrame),
    Stream.map((rows) => rows.some(({ status }) => status !== undefined && atWork.has(status)))
  )
  const connected = Stream.map(SubscriptionRef.changes(app.connected), (count) => count > 0)
  return Stream.zipLatest(working, connected).pipe(
    Stream.scan(
      (): Need => ({ isNeeded: true, wasVisited: false }),
      ({ wasVisited }, [isWorking, isConnected]): Need => ({
        isNeeded: isWorking || isConnected,
        wasVisited: wasVisited || isConnected
      })
    ),
    Stream.changesWith((one, other) => one.isNeeded === other.isNeeded && one.wasVisited === other.wasVisited),
    Stream.switchMap(({ isNeeded, wasVisited }) =>
      isNeeded
        ? Stream.never
        : Stream.fromEffect(Effect.sleep(wasVisited ? milliseconds : Math.max(milliseconds, firstClientWithin)))
    ),
    Stream.take(1),
    Stream.runDrain
  )
}
