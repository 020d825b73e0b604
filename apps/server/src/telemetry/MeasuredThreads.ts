/** Wraps `Threads`, and counts its commands and its watchers. */
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Threads } from "../orchestration/Threads.ts"
import * as Meter from "./Meter.ts"
import * as Metrics from "./Metrics.ts"

const make = Effect.gen(function* () {
  const threads = yield* Threads
  const meter = yield* Meter.make
  const commands = Meter.labelled(Metrics.commands, ["type", "outcome"])
  const commandSeconds = Meter.labelled(Metrics.commandSeconds, ["type"])
  const watchers = Meter.labelled(Metrics.watchers, ["of"])
  const snapshots = Meter.labelled(Metrics.snapshots, ["reason"])

  const open = { thread: 0, list: 0, requests: 0 }
  const counted = <A, E, R>(of: keyof typeof open, stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> => {
    const change = (by: 1 | -1) => Effect.sync(() => meter.note(watchers(of), (open[of] += by)))
    return Stream.unwrap(
      Effect.as(
        Effect.acquireRelease(change(1), () => change(-1)),
        stream
      )
    )
  }

  /** Counts whole states. Each one after the first means that a client was too slow. */
  const snapshotsCounted = <E, R>(stream: Stream.Stream<ThreadFrame, E, R>) =>
    Stream.suspend(() => {
      let begun = false
      return Stream.map(stream, (frame) => {
        if (frame.type === "snapshot") meter.note(snapshots(begun ? "behind" : "begin"), 1)
        begun = true
        return frame
      })
    })

  return Threads.of({
    ...threads,
    send: (envelope, client) => {
      const { type } = envelope.command
      return meter.timed(threads.send(envelope, client), (seconds, taken) => {
        meter.note(commands(type, taken ? "taken" : "refused"), 1)
        meter.note(commandSeconds(type), seconds)
      })
    },
    watch: (threadId, options) => counted("thread", snapshotsCounted(threads.watch(threadId, options))),
    watchAll: counted("list", threads.watchAll),
    watchRequests: counted("requests", threads.watchRequests)
  })
})

/** Wraps the `Threads` that it is provided with. */
export const layer: Layer.Layer<Threads, never, Threads> = Layer.effect(Threads, make)
