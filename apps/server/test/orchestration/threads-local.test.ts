/** The local host keeps the contract of `Threads`, and memory for those threads only that are in use. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { boot, databaseFile, followed, local, threadId, turnId } from "../support/ThreadsHarness.ts"
import { contract } from "./threads-contract.ts"

contract("one machine", (file) => local(file))

describe("a thread on one machine", () => {
  it.effect(
    "is in memory for as long as somebody watches it or it is at work, and is the same when it comes back",
    () =>
      Effect.gen(function* () {
        const { create, ended, prompt, send, threads, until } = yield* Effect.flatMap(databaseFile, boot)
        const a = threadId("thread-a")
        yield* create(a)
        const begun = yield* Latch.make()
        const page = yield* Effect.forkChild(Stream.runForEach(threads.watch(a), () => begun.open))
        yield* begun.await
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* threads.inMemory, 1)
        yield* Fiber.interrupt(page)
        yield* prompt(a, turnId("turn-1"), "say hello; ask")
        yield* until(a, ({ requests }) => requests.length > 0)
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* threads.inMemory, 1)
        const known = yield* until(a, () => true)
        const { requestId } = known.requests[0]!.request
        const response = { type: "option" as const, optionId: "proceed_once" }
        const answer = { type: "request.respond" as const, requestId, response }
        yield* send(a, answer)
        const before = yield* ended(a, turnId("turn-1"))
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* threads.inMemory, 0)
        const [frame] = yield* Stream.runCollect(Stream.take(threads.watch(a), 1))
        assert.deepStrictEqual(followed(undefined, frame!), before)
        assert.strictEqual(yield* threads.inMemory, 1)
      })
  )
})
