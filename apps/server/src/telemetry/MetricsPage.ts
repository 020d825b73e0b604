/** The page `/metrics`: all metrics in the format of Prometheus. */
import * as Context from "effect/Context"
import type { Health } from "@signalbox/contracts/Health"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ServerHealth } from "./ServerHealth.ts"
import * as Meter from "./Meter.ts"
import * as Metrics from "./Metrics.ts"

export class MetricsPage extends Context.Service<
  MetricsPage,
  {
    /** Text of the Prometheus format, version 0.0.4. */
    readonly text: Effect.Effect<string>
  }
>()("./MetricsPage.ts") {}

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

const make = Effect.gen(function* () {
  const health = yield* ServerHealth
  const meter = yield* Meter.make
  const storage = Meter.labelled(Metrics.storageBytes, ["part"])
  const threads = Meter.labelled(Metrics.threads, ["state"])
  const agents = Meter.labelled(Metrics.agents, ["state"])

  /** Updates gauges, which are measured only when the page is requested. */
  const noteNow = (now: Health): void => {
    meter.note(Metrics.residentBytes, now.server.rssBytes)
    meter.note(Metrics.heapBytes, now.server.heapBytes)
    meter.note(Metrics.startTime, now.server.startedAt / 1000)
    meter.note(Metrics.agentsReaped, now.reaped)
    meter.note(Metrics.storageFailing, now.storage.state === "failing" ? 1 : 0)
    meter.note(storage("database"), now.storage.databaseBytes)
    meter.note(storage("journal"), now.storage.journalBytes)
    meter.note(storage("tapes"), now.storage.tapeBytes)
    if (now.storage.freeBytes !== undefined) meter.note(storage("free"), now.storage.freeBytes)
    meter.note(threads("all"), now.threads.all)
    meter.note(threads("in-memory"), now.threads.inMemory)
    meter.note(threads("running"), now.threads.running)
    meter.note(threads("unreadable"), now.threads.unreadable)
    for (const state of ["starting", "ready", "working", "waiting", "stopping"] as const)
      meter.note(agents(state), now.agents.filter((agent) => agent.state === state).length)
  }

  return MetricsPage.of({
    text: Effect.gen(function* () {
      noteNow(yield* health.now)
      // Loaded at the first request, so that it doesn't slow down the server's start.
      const prometheus = yield* Effect.promise(() => import("effect/observability/PrometheusMetrics"))
      return yield* prometheus.format({ prefix: "signalbox" })
    })
  })
})

export const layer: Layer.Layer<MetricsPage, never, ServerHealth> = Layer.effect(MetricsPage, make)
