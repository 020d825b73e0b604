/** What outlives a connection: calls that are asked again, and streams that are opened again. Clients are words here. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { RpcClientDefect, RpcClientError } from "effect/rpc/RpcClientError"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { addressOf } from "../src/Client.ts"
import * as CurrentClient from "../src/CurrentClient.ts"
import { following } from "../src/Following.ts"
import { once } from "../src/Once.ts"
import { persistently } from "../src/Persistence.ts"

const lost = new RpcClientError({ reason: new RpcClientDefect({ message: "gone", cause: "gone" }) })

describe("the client of the moment", () => {
  it.effect("is waited for, and none is given twice to whoever has spent it", () =>
    Effect.gen(function* () {
      const current = CurrentClient.make<string>()
      const first = yield* Effect.forkChild(current.after(), { startImmediately: true })
      current.set("one")
      assert.strictEqual(yield* Fiber.join(first), "one")
      const next = yield* Effect.forkChild(current.after("one"), { startImmediately: true })
      current.set(undefined)
      current.set("one")
      assert.isUndefined(next.pollUnsafe())
      current.set("two")
      assert.strictEqual(yield* Fiber.join(next), "two")
    })
  )
})

describe("a call", () => {
  it.effect("is asked again on the next connection, and only where the last one ended under it", () =>
    Effect.gen(function* () {
      const current = CurrentClient.make<string>()
      const asked: Array<string> = []
      const call = persistently(current.after)((client) => {
        asked.push(client)
        if (client === "two") return Effect.succeed("answer")
        return Effect.andThen(
          Effect.sync(() => current.set("two")),
          Effect.fail(lost)
        )
      })
      current.set("one")
      assert.strictEqual(yield* call, "answer")
      const refused = persistently(current.after)(() => Effect.fail("refused" as const))
      assert.strictEqual(yield* Effect.flip(refused), "refused")
      assert.deepStrictEqual(asked, ["one", "two"])
    })
  )
})

describe("a call about now", () => {
  it.effect("is made once, and says whether it may have been done", () =>
    Effect.gen(function* () {
      const current = CurrentClient.make<string>()
      const asked: Array<string> = []
      const call = (answer: Effect.Effect<string, RpcClientError | "refused">) =>
        once(current.now)((client) => {
          asked.push(client)
          return answer
        })
      assert.deepInclude(yield* Effect.flip(call(Effect.succeed("done"))), { reason: "NoConnection" })
      current.set("one")
      assert.strictEqual(yield* call(Effect.succeed("done")), "done")
      assert.strictEqual(yield* Effect.flip(call(Effect.fail("refused"))), "refused")
      const broken = call(
        Effect.andThen(
          Effect.sync(() => current.set("two")),
          Effect.fail(lost)
        )
      )
      assert.deepInclude(yield* Effect.flip(broken), { reason: "AnswerLost" })
      assert.deepStrictEqual(asked, ["one", "one", "one"])
    })
  )
})

describe("a stream", () => {
  const recorded = () => {
    const opened: Array<string> = []
    const batches: Array<ReadonlyArray<number>> = []
    return { opened, batches }
  }

  it.effect("goes on with the next connection, and whole batches wait for the pause", () =>
    Effect.gen(function* () {
      const current = CurrentClient.make<string>()
      const { batches, opened } = recorded()
      const followed = following(current.after, "50 millis")(
        (client) => {
          opened.push(client)
          if (client === "one") return Stream.concat(Stream.make(1), Stream.fail(lost))
          return Stream.concat(Stream.fromArray([2, 3]), Stream.never)
        },
        (batch) => void batches.push(batch)
      )
      yield* Effect.forkChild(followed, { startImmediately: true })
      current.set("one")
      yield* TestClock.adjust("200 millis")
      current.set("two")
      yield* TestClock.adjust("200 millis")
      assert.deepStrictEqual(opened, ["one", "two"])
      assert.deepStrictEqual(batches.flat(), [1, 2, 3])
    })
  )

  it.effect("is opened anew at once where its batch asks for it, and after a second where it ended", () =>
    Effect.gen(function* () {
      const current = CurrentClient.make<string>()
      const { batches, opened } = recorded()
      const enough = yield* Deferred.make<void>()
      const followed = following(current.after, "50 millis")(
        (client) => {
          opened.push(client)
          return Stream.make(opened.length)
        },
        (batch) => {
          batches.push(batch)
          if (batches.length > 1) Deferred.doneUnsafe(enough, Effect.void)
          return batches.length === 1 ? "again" : undefined
        }
      )
      yield* Effect.forkChild(followed, { startImmediately: true })
      current.set("one")
      yield* Deferred.await(enough)
      assert.deepStrictEqual(batches, [[1], [2]])
      yield* TestClock.adjust("500 millis")
      assert.lengthOf(opened, 2)
      yield* TestClock.adjust("1 second")
      assert.lengthOf(opened, 3)
    })
  )
})

describe("the address of a server", () => {
  it("is that of its page with another scheme", () => {
    assert.strictEqual(addressOf("http://127.0.0.1:4177"), "ws://127.0.0.1:4177/rpc")
    assert.strictEqual(addressOf("https://signalbox.example"), "wss://signalbox.example/rpc")
    assert.strictEqual(addressOf("http://http.example"), "ws://http.example/rpc")
  })
})
