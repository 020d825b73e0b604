/** Reports the health of this server and its agents. It costs nothing while nobody asks. */
import type { Health, StorageHealth } from "@signalbox/contracts/Health"
import type { LanguageServerState } from "@signalbox/contracts/LanguageFeatures"
import type { SuggestionQuality } from "@signalbox/contracts/SuggestionQuality"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { isRunning } from "@signalbox/threads/TurnState"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Metrics from "./Metrics.ts"
import { Threads } from "../orchestration/Threads.ts"
import { StartAdmission } from "@signalbox/process/StartAdmission"
import { type FoundAgent, ProcessLedger } from "@signalbox/process/ProcessLedger"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import * as DiskUse from "./DiskUse.ts"
import * as EventLoopDelay from "./EventLoopDelay.ts"

export class ServerHealth extends Context.Service<
  ServerHealth,
  {
    /** The current health. The delay of the event loop is measured only in `changes`; here it is 0. */
    readonly now: Effect.Effect<Health>
    /** The health now and then every five seconds. All watchers share one report. */
    readonly changes: Stream.Stream<Health>
  }
>()("./ServerHealth.ts") {}

export interface Options {
  readonly version: string
  readonly stateDirectory: string
  readonly database: string
  readonly tapes: string
  /** The state of storage. */
  readonly storage?: Effect.Effect<Pick<StorageHealth, "state" | "problem">>
  /** What language servers do. */
  readonly languageServers?: Effect.Effect<ReadonlyArray<LanguageServerState>>
  /** What became of suggestions. */
  readonly suggestions?: Effect.Effect<SuggestionQuality>
}

const interval = "5 seconds"

const startedAt = Date.now() - Math.round(process.uptime() * 1000)

const make = Effect.fnUntraced(function* (options: Options) {
  const threads = yield* Threads
  const provider = yield* ProviderService
  const { found, reaped } = yield* ProcessLedger
  const leftovers = leftoversOf(found)
  const admission = yield* StartAdmission
  const context = yield* Effect.context()
  const {
    languageServers = Effect.succeed([]),
    suggestions = Effect.succeed(undefined),
    storage: storageState = Effect.succeed({ state: "ok" as const })
  } = options

  const storage = Effect.gen(function* () {
    const [sizes, tapeBytes, freeBytes] = yield* Effect.promise(() =>
      Promise.all([
        DiskUse.databaseBytes(options.database),
        DiskUse.folderBytes(options.tapes),
        DiskUse.freeBytes(options.stateDirectory)
      ])
    )
    const state = yield* storageState
    return {
      ...state,
      directory: options.stateDirectory,
      ...sizes,
      tapeBytes,
      ...(freeBytes !== undefined && { freeBytes })
    }
  })

  const rows = threads.watchAll.pipe(
    Stream.runHead,
    Effect.map((frame) => Option.match(frame, { onNone: () => [], onSome: ({ threads }) => threads }))
  )

  const report = Effect.fnUntraced(function* (delayMs: number) {
    const { heapUsed, rss } = process.memoryUsage()
    const quality = yield* suggestions
    const language = yield* languageServers
    return {
      at: yield* Clock.currentTimeMillis,
      bootId: threads.bootId,
      version: options.version,
      server: { pid: process.pid, startedAt, rssBytes: rss, heapBytes: heapUsed, delayMs },
      storage: yield* storage,
      agents: yield* provider.health,
      threads: { ...census(yield* rows), inMemory: yield* threads.inMemory },
      watchers: watchersNow(context),
      ...(quality !== undefined && { suggestions: quality }),
      ...(language.length > 0 && { languageServers: language }),
      waiting: admission.waiting(),
      ...(leftovers.length > 0 && { leftovers }),
      reaped
    } satisfies Health
  })

  const changes = yield* Stream.unwrap(
    Effect.map(EventLoopDelay.make, (delay) =>
      Stream.mapEffect(Stream.tick(interval), () => Effect.suspend(() => report(delay.take())))
    )
  ).pipe(Stream.share({ capacity: 1, strategy: "sliding", replay: 1 }))

  return ServerHealth.of({ now: report(0), changes })
})

/** The most leftover processes that are listed; more are only counted. */
const mostLeftovers = 200

const leftoversOf = (found: ReadonlyArray<FoundAgent>): NonNullable<Health["leftovers"]> =>
  found
    .flatMap(({ runsFor, ...leftovers }) =>
      (["ended", "kept", "left"] as const).flatMap((state) =>
        leftovers[state].map(({ name, pid }) => ({
          ...(runsFor !== undefined && { threadId: runsFor }),
          pid,
          name,
          state
        }))
      )
    )
    .slice(0, mostLeftovers)

const census = (rows: ReadonlyArray<ThreadSummary>) => ({
  all: rows.length,
  running: rows.filter(({ status }) => status !== undefined && isRunning(status)).length,
  unreadable: rows.filter(({ unreadable }) => unreadable !== undefined).length
})

/** The number of clients that follow a thread or the list. */
const watchersNow = (context: Context.Context<never>): number =>
  Metric.snapshotUnsafe(context)
    .filter((metric) => metric.id === Metrics.watchers.id)
    .reduce((sum, metric) => sum + (metric.type === "Gauge" ? Number(metric.state.value) : 0), 0)

export const layer = (options: Options): Layer.Layer<ServerHealth, never, Threads | ProviderService | ProcessLedger> =>
  Layer.effect(ServerHealth, make(options))
