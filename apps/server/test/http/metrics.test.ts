import { BootId, CommandId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { HttpApp } from "../../src/http/HttpApp.ts"
import * as MeasuredStore from "../../src/telemetry/MeasuredStore.ts"
import * as MeasuredThreads from "../../src/telemetry/MeasuredThreads.ts"
import { Threads } from "../../src/orchestration/Threads.ts"
import { StorageError } from "../../src/storage/StorageError.ts"
import { type ThreadFold, ThreadStore } from "../../src/storage/ThreadStore.ts"
import { start } from "../cli/support/Signalbox.ts"
import { converse } from "../cli/support/Conversation.ts"
import { layer as serverLayer, raw } from "./support/ServerUnderTest.ts"
import { created, logged, threadId } from "../support/ThreadEvents.ts"

const view = ThreadProjection.apply(undefined, logged(0, [created]))
const folded: ThreadFold = { threadId, head: view, items: [], turns: [], withdrawn: [] }

const get = (port: number, headers: ReadonlyArray<string> = []) =>
  raw(port, ["GET /metrics HTTP/1.1", "Connection: close", `Host: 127.0.0.1:${port}`, ...headers])

/** The value of one line; fails when it is not there, or there twice. */
const value = (text: string, series: string): number => {
  const lines = text.split("\n").filter((line) => line.startsWith(`${series} `))
  assert.lengthOf(lines, 1, `${series} in\n${text}`)
  return Number(lines[0]?.slice(series.length + 1))
}

layer(serverLayer())("/metrics", (it) => {
  it.effect("is shown to who holds the token, and to nobody else", () =>
    Effect.gen(function* () {
      const { port, token } = yield* HttpApp
      assert.strictEqual((yield* get(port)).status, 401)
      assert.strictEqual((yield* get(port, ["Authorization: Bearer nonsense"])).status, 401)
      const answer = yield* get(port, [`Authorization: Bearer ${token}`])
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers, /content-type: text\/plain; version=0\.0\.4/i)
      assert.strictEqual(value(answer.body, 'signalbox_storage_bytes{part="database"}'), 4096)
      assert.strictEqual(value(answer.body, 'signalbox_threads{state="all"}'), 3)
      assert.include(answer.body, "# TYPE signalbox_storage_bytes gauge")
    })
  )
})

/** The numbers by name and labels. */
const numbers = Effect.map(Metric.snapshot, (all) =>
  Object.fromEntries(
    all.map(({ attributes, id, state }) => [[id, ...Object.values(attributes ?? {})].join(" "), state])
  )
)

describe("metrics", () => {
  it.live("count what a server does: commands, turns, agents, transactions", () =>
    Effect.gen(function* () {
      const server = yield* start(["--port", "0"])
      const [, port = "", token = ""] = yield* server.says(/:(\d+)\/#token=([\w-]{43})/)
      yield* converse({ port: Number(port), token }, ThreadId.make("t1"), ["I am sad", "I am glad"])
      const { body } = yield* get(Number(port), [`Authorization: Bearer ${token}`])

      assert.strictEqual(value(body, 'signalbox_commands_total{type="thread.create",outcome="taken"}'), 1)
      assert.strictEqual(value(body, 'signalbox_commands_total{type="turn.start",outcome="taken"}'), 2)
      assert.strictEqual(value(body, 'signalbox_command_seconds_count{type="turn.start"}'), 2)
      assert.strictEqual(value(body, 'signalbox_command_seconds_bucket{type="turn.start",le="+Inf"}'), 2)
      assert.strictEqual(value(body, 'signalbox_turns_ended_total{ending="completed"}'), 2)
      assert.strictEqual(value(body, 'signalbox_agents_started_total{provider="acp",origin="new"}'), 1)
      assert.strictEqual(value(body, 'signalbox_agents{state="ready"}'), 1)
      assert.strictEqual(value(body, 'signalbox_threads{state="all"}'), 1)
      assert.strictEqual(value(body, "signalbox_storage_failing"), 0)
      assert.isAbove(value(body, "signalbox_agent_events_total"), 2)
      assert.isAbove(value(body, 'signalbox_transactions_total{outcome="done"}'), 3)
      assert.isAbove(value(body, 'signalbox_storage_bytes{part="database"}'), 0)
      assert.isAbove(value(body, "signalbox_process_resident_bytes"), 1e6)
      for (const line of body.trimEnd().split("\n"))
        assert.match(line, /^(?:# (?:HELP|TYPE) .+|[a-z_]+(?:\{[^}]*\})? -?[\d.e+-]+)$/)
    })
  )

  it.effect("say how long folds take, also those that fail", () =>
    Effect.gen(function* () {
      let full = false
      const store = Layer.mock(ThreadStore, {
        fold: () =>
          Effect.delay(
            Effect.suspend(() => (full ? new StorageError({ reason: "full", path: "", detail: "" }) : Effect.void)),
            "40 millis"
          ),
        commit: () => Effect.void
      })
      const measured = yield* Layer.build(MeasuredStore.layer.pipe(Layer.provide(store)))
      const { commit, fold } = Context.get(measured, ThreadStore)
      const folding = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.exit(fold(folded)), { startImmediately: true })
        yield* TestClock.adjust("40 millis")
        return yield* Fiber.join(fiber)
      })
      yield* folding
      full = true
      assert.isTrue(Exit.isFailure(yield* folding))
      // One that is part of a step takes the step's time.
      const step = { threadId, events: [], head: undefined }
      yield* commit([step, { ...step, fold: folded }])
      const told = yield* numbers
      assert.deepInclude(told["folds_total done"], { count: 2 })
      assert.deepInclude(told["folds_total failed"], { count: 1 })
      assert.deepInclude(told["fold_seconds"], { count: 2, sum: 0.08 })
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("count watchers that are there now, and those that could not follow", () =>
    Effect.gen(function* () {
      const snapshot = { type: "snapshot", bootId: BootId.make("boot"), view } as const
      const threads = Layer.mock(Threads, {
        bootId: snapshot.bootId,
        watch: () => Stream.concat(Stream.make(snapshot, { type: "events", events: [] }, snapshot), Stream.never),
        watchAll: Stream.never,
        send: () => Effect.succeed({ commandId: CommandId.make("c"), sequence: Sequence.make(1) })
      })
      const measured = yield* Layer.build(MeasuredThreads.layer.pipe(Layer.provide(threads)))
      yield* Effect.gen(function* () {
        const { watch } = yield* Threads
        const watching = yield* Effect.forkChild(Stream.runDrain(watch(ThreadId.make("t"))), { startImmediately: true })
        const other = yield* Effect.forkChild(Stream.runDrain(watch(ThreadId.make("u"))), { startImmediately: true })
        yield* Effect.yieldNow
        const before = yield* numbers
        assert.deepInclude(before["watchers thread"], { value: 2 })
        assert.deepInclude(before["snapshots_total begin"], { count: 2 })
        assert.deepInclude(before["snapshots_total behind"], { count: 2 })
        yield* Fiber.interrupt(watching)
        assert.deepInclude((yield* numbers)["watchers thread"], { value: 1 })
        yield* Fiber.interrupt(other)
        assert.deepInclude((yield* numbers)["watchers thread"], { value: 0 })
      }).pipe(Effect.provideContext(measured))
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})
