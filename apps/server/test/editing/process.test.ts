/** The one process of an agent for suggestions: started when needed, ended when idle, started again after a crash. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { providerError } from "../../src/base/ProviderError.ts"
import * as SuggestionProcess from "../../src/editing/SuggestionProcess.ts"
import * as FakeSource from "./FakeSource.ts"

const setUp = Effect.gen(function* () {
  const fake = FakeSource.make()
  const events: Array<string> = []
  let running = 0
  const gate = Deferred.makeUnsafe<void>()
  let isGated = false
  let isBroken = false
  const start = Effect.acquireRelease(
    Effect.gen(function* () {
      running += 1
      assert.strictEqual(running, 1, "never more than one process")
      if (isGated) yield* Deferred.await(gate)
      if (isBroken) {
        running -= 1
        return yield* providerError("agent-start-failed", "It is broken.", "Test.")
      }
      events.push("started")
      return yield* fake.start
    }),
    () =>
      Effect.sync(() => {
        running -= 1
        events.push("ended")
      }),
    { interruptible: true }
  )
  const process = yield* SuggestionProcess.make({ start, onStart: () => Effect.void, idle: "5 minutes" })
  return {
    events,
    fake,
    process,
    gate,
    use: Effect.scoped(process.get),
    holdStart: () => void (isGated = true),
    breakIt: (broken: boolean) => void (isBroken = broken)
  }
})

describe("SuggestionProcess", () => {
  it.effect("is started by the first question, kept for the next, and ended after five minutes without any", () =>
    Effect.gen(function* () {
      const { events, use } = yield* setUp
      assert.deepStrictEqual(events, [])
      yield* use
      yield* TestClock.adjust("4 minutes")
      yield* use
      yield* TestClock.adjust("4 minutes")
      assert.deepStrictEqual(events, ["started"])
      yield* TestClock.adjust("1 minutes")
      assert.deepStrictEqual(events, ["started", "ended"])
      yield* use
      assert.deepStrictEqual(events, ["started", "ended", "started"])
    })
  )

  it.effect("is one process for questions that come together, and goes on starting where one of them goes away", () =>
    Effect.gen(function* () {
      const { events, gate, holdStart, use } = yield* setUp
      holdStart()
      const one = yield* Effect.forkChild(use, { startImmediately: true })
      const two = yield* Effect.forkChild(use, { startImmediately: true })
      yield* Fiber.interrupt(one)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(two)
      yield* use
      assert.deepStrictEqual(events, ["started"])
    })
  )

  it.effect("goes on starting for the next question where the only one goes away", () =>
    Effect.gen(function* () {
      const { events, gate, holdStart, use } = yield* setUp
      holdStart()
      const one = yield* Effect.forkChild(use, { startImmediately: true })
      yield* Fiber.interrupt(one)
      yield* Deferred.succeed(gate, undefined)
      yield* use
      assert.deepStrictEqual(events, ["started"])
    })
  )

  it.effect("rests after each crash, longer each time, and starts with the next question then", () =>
    Effect.gen(function* () {
      const { events, fake, process, use } = yield* setUp
      const rests: Array<number> = []
      for (let crash = 1; crash <= 4; crash++) {
        yield* use
        yield* fake.crash
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(events.slice(-2), ["started", "ended"])
        const rest = yield* process.rest
        rests.push(rest)
        yield* TestClock.adjust(rest)
        assert.strictEqual(yield* process.rest, 0)
      }
      assert.isAbove(rests[0] ?? 0, 0)
      for (const [index, rest] of rests.entries()) if (index > 0) assert.isAbove(rest, (rests[index - 1] ?? 0) * 1.2)
    })
  )

  it.effect("rests after a start that failed, and says why it failed", () =>
    Effect.gen(function* () {
      const { breakIt, events, process, use } = yield* setUp
      breakIt(true)
      assert.strictEqual((yield* Effect.flip(use)).problem.title, "It is broken.")
      assert.isAbove(yield* process.rest, 0)
      breakIt(false)
      // A person who asks for it waits for no rest.
      yield* use
      assert.deepStrictEqual(events, ["started"])
    })
  )
})
