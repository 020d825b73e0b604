import type { Health } from "@signalbox/contracts/Health"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import type { ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import { BootId, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as EventLoopDelay from "../../src/telemetry/EventLoopDelay.ts"
import * as ServerHealth from "../../src/telemetry/ServerHealth.ts"
import { Threads } from "../../src/orchestration/Threads.ts"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { ProviderService } from "../../src/provider/Services/ProviderService.ts"
import { connect, converse, reachable } from "../cli/support/Conversation.ts"
import { row } from "../cli/support/KeptThreads.ts"
import { start, temporaryFolder } from "../cli/support/Signalbox.ts"

/** A health service over stand-ins; `asked` counts how often the agents were looked at. */
const healthOf = Effect.fnUntraced(function* (threads: ReadonlyArray<ThreadSummary>) {
  const state = temporaryFolder("state")
  mkdirSync(join(state, "tapes", "deep"), { recursive: true })
  writeFileSync(join(state, "db"), "x".repeat(1000))
  writeFileSync(join(state, "db-wal"), "x".repeat(200))
  writeFileSync(join(state, "tapes", "a"), "x".repeat(30))
  writeFileSync(join(state, "tapes", "deep", "b"), "x".repeat(4))
  const asked = { times: 0 }
  const services = Layer.mergeAll(
    Layer.mock(Threads, {
      bootId: BootId.make("boot"),
      inMemory: Effect.succeed(2),
      watchAll: Stream.concat(Stream.succeed<ThreadsFrame>({ type: "snapshot", threads }), Stream.never)
    }),
    Layer.mock(ProviderService, {
      adapterOf: () => assert.fail("no session is needed here"),
      health: Effect.sync(() => {
        asked.times++
        return []
      })
    }),
    Layer.mock(ProcessLedger, { reaped: 3, found: [] })
  )
  const options = { version: "1.2.3", stateDirectory: state, database: join(state, "db"), tapes: join(state, "tapes") }
  const context = yield* Layer.build(ServerHealth.layer(options).pipe(Layer.provide(services)))
  return { asked, state, health: yield* Effect.provideContext(ServerHealth.ServerHealth, context) }
})

describe("the server's health", () => {
  it.effect("is sent at once and every five seconds, measured once for all who watch, and never for nobody", () =>
    Effect.gen(function* () {
      const { asked, health } = yield* healthOf([])
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(asked.times, 0)

      const heard = yield* Queue.unbounded<Health>()
      const watch = Effect.forkChild(Stream.runForEach(health.changes, (report) => Queue.offer(heard, report)))
      const first = yield* watch
      const { at } = yield* Queue.take(heard)
      assert.strictEqual(at, 60_000)
      // Who comes second gets what the first one has.
      const second = yield* watch
      assert.strictEqual((yield* Queue.take(heard)).at, 60_000)
      assert.strictEqual(asked.times, 1)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([(yield* Queue.take(heard)).at, (yield* Queue.take(heard)).at], [65_000, 65_000])
      assert.strictEqual(asked.times, 2)

      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(second)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(asked.times, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("counts threads, bytes, and what an earlier server had left", () =>
    Effect.gen(function* () {
      const problem = { code: "storage", title: "", cause: "", evidence: {}, nextSteps: [] } as const
      const { health, state } = yield* healthOf([
        row("a", 0, { status: "working" }),
        row("b", 0, { status: "waiting" }),
        row("c", 0, { status: "queued" }),
        row("d", 0, { status: "completed" }),
        row("e", 0, { unreadable: problem })
      ])
      const now = yield* health.now
      assert.deepInclude(now.threads, { all: 5, running: 2, unreadable: 1 })
      const { freeBytes, ...storage } = now.storage
      assert.deepStrictEqual(storage, {
        state: "ok",
        directory: state,
        databaseBytes: 1000,
        journalBytes: 200,
        tapeBytes: 34
      })
      assert.isAbove(freeBytes ?? 0, 0)
      assert.strictEqual(now.reaped, 3)
      assert.strictEqual(now.server.pid, process.pid)
    }).pipe(Effect.scoped)
  )

  it.live("knows how long the event loop kept things waiting", () =>
    Effect.gen(function* () {
      const delay = yield* EventLoopDelay.make
      const looked = yield* Deferred.make<void>()
      setTimeout(() => {
        const end = performance.now() + 150
        while (performance.now() < end);
        setTimeout(() => Deferred.doneUnsafe(looked, Effect.void), 60)
      }, 60)
      yield* Deferred.await(looked)
      assert.isAbove(delay.take(), 100)
      assert.strictEqual(delay.take(), 0, "told once")
    }).pipe(Effect.scoped)
  )

  it.live("comes over the socket, with the agents that run", () =>
    Effect.gen(function* () {
      const server = yield* start(["--port", "0"])
      const address = yield* reachable(server)
      const threadId = ThreadId.make("t1")
      const view = yield* converse(address, threadId, ["I am sad"])
      const health = yield* RpcClient.make(SignalboxRpc).pipe(
        Effect.flatMap((client) => Stream.runHead(client.watchHealth())),
        Effect.flatMap(Effect.fromOption),
        Effect.scoped,
        Effect.provide(connect(address))
      )
      assert.strictEqual(health.server.pid, server.pid)
      assert.strictEqual(health.threads.all, 1)
      assert.lengthOf(health.agents, 1)
      assert.deepInclude(health.agents[0]!, { threadId, pid: view?.session.pid ?? 0, state: "ready", pipes: "open" })
      assert.strictEqual(health.storage.state, "ok")
    }).pipe(Effect.scoped)
  )
})
