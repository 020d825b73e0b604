/** Threads that are removed while something still goes on in them. */
import { assert, describe, it } from "@effect/vitest"
import { CommandId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as MutableRef from "effect/MutableRef"
import * as TestClock from "effect/testing/TestClock"
import { rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as ProviderCommandReactor from "../../src/orchestration/ProviderCommandReactor.ts"
import * as SessionHistory from "../../src/orchestration/SessionHistory.ts"
import { cursorAt } from "../../src/orchestration/Cursors.ts"
import type { ReactingThread } from "../../src/orchestration/ReactingThread.ts"
import { boot, databaseFile, statusOf, threadId, turnId } from "../support/ThreadsHarness.ts"

const a = threadId("thread-a")
const first = turnId("turn-1")
const second = turnId("turn-2")

const pass = Effect.forEach(Array.from({ length: 100 }), () => Effect.yieldNow, { discard: true })

describe("a thread that is removed", () => {
  it.live("is not written again by somebody who was about to read it", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const { create, provider, threads, until } = yield* boot(file)
      yield* create(a)
      // In no fold yet, so that a page is read after one.
      yield* provider.emit(a, [{ type: "runtime.warning", message: "secret" }])
      yield* until(a, ({ items }) => items.length > 0)
      const holder = new DatabaseSync(file)
      holder.exec("BEGIN IMMEDIATE")
      const removing = yield* Effect.forkChild(threads.remove(a))
      // Long enough for the erasure to have begun, which the lock holds up, and then for the reader to wait behind it.
      yield* pass
      const reading = yield* Effect.forkChild(Effect.exit(threads.earlier(a, cursorAt(1000))))
      yield* pass
      holder.exec("ROLLBACK")
      yield* Fiber.join(removing)
      yield* Fiber.join(reading)
      const left = ["threads", "heads", "items", "turns", "events"].filter(
        (table) => holder.prepare(`SELECT 1 FROM ${table} WHERE thread_id = ?`).get(a) !== undefined
      )
      holder.close()
      assert.deepStrictEqual(left, [])
    })
  )

  it.effect("leaves no agent behind, also where the thread can't be read any more", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const { create, provider, send, threads, until } = yield* boot(file)
      yield* create(a)
      yield* send(a, { type: "session.start" })
      yield* until(a, ({ session }) => session.state === "ready")
      // It leaves memory, and its agent waits.
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual(yield* threads.inMemory, 0)
      const meddler = new DatabaseSync(file)
      meddler.exec("UPDATE events SET payload = 'nonsense'")
      meddler.close()
      yield* threads.remove(a)
      assert.deepStrictEqual(provider.running(), [])
    })
  )

  it.live("starts no agent any more, however shortly before one was asked for", () =>
    Effect.gen(function* () {
      const { create, prompt, provider, send, threads } = yield* Effect.flatMap(databaseFile, boot)
      for (let steps = 0; steps < 30; steps++) {
        yield* create(a)
        yield* steps % 2 === 0 ? prompt(a, turnId(`turn-${steps}`), "hang") : send(a, { type: "session.start" })
        for (let step = 0; step < steps / 2; step++) yield* Effect.yieldNow
        yield* threads.remove(a)
        yield* pass
        assert.deepStrictEqual(provider.running(), [], `${steps} steps later`)
      }
    })
  )

  it.live("goes on with what waits in it, where it can't be removed", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const { create, ended, prompt, threads, until } = yield* boot(file)
      yield* create(a)
      yield* prompt(a, first, "hang")
      yield* prompt(a, second, "say hi")
      yield* until(a, (view) => statusOf(view, first) === "working")
      // Its tapes are looked for first, and in a folder.
      rmSync(`${file}-tapes`, { recursive: true, force: true })
      writeFileSync(`${file}-tapes`, "")
      assert.strictEqual((yield* Effect.flip(threads.remove(a)))._tag, "ThreadUnreadable")
      // The turn that was stopped for it holds what waits, as every turn does that is stopped.
      yield* until(a, ({ held }) => held === true)
      yield* threads.send({
        commandId: CommandId.make("resume"),
        threadId: a,
        command: { type: "queue.hold", held: false }
      })
      assert.strictEqual(statusOf(yield* ended(a, second), second), "completed")
    })
  )

  it.live("is not stopped for ever", () =>
    Effect.gen(function* () {
      const { create, prompt, provider, until } = yield* Effect.flatMap(databaseFile, boot)
      yield* create(a)
      yield* prompt(a, first, "hang")
      const head = yield* until(a, (view) => statusOf(view, first) === "working")
      const thread: ReactingThread = {
        threadId: a,
        providerOptions: () => ({}),
        head: () => head,
        prompts: Effect.succeed([]),
        // Waiting ends at once in a thread that is gone.
        until: () => Effect.void,
        fork: (effect) => effect,
        append: () => Effect.succeed(false)
      }
      const history = MutableRef.make(SessionHistory.none)
      const reactor = yield* Effect.provide(ProviderCommandReactor.make(thread, history), provider.layer)
      yield* reactor.carryOut({ type: "turn.interrupt", turnId: first })
    })
  )
})
