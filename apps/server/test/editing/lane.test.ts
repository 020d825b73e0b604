/** Questions on their way, with a clock of the test. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as SuggestionLane from "../../src/editing/SuggestionLane.ts"

/** A lane, and requests that end when the test says so. */
const setUp = Effect.gen(function* () {
  const lane = yield* SuggestionLane.make(100)
  const events: Array<string> = []
  const gates = new Map<string, Deferred.Deferred<string, string>>()
  const gate = (name: string) => {
    const known = gates.get(name) ?? Deferred.makeUnsafe<string, string>()
    gates.set(name, known)
    return known
  }
  const ask = (name: string, isAtOnce = false) =>
    lane.ask(
      () =>
        Effect.suspend(() => {
          events.push(`sent ${name}`)
          return Deferred.await(gate(name))
        }).pipe(Effect.onInterrupt(() => Effect.sync(() => void events.push(`cancelled ${name}`)))),
      isAtOnce
    )
  const begin = (name: string, isAtOnce = false) =>
    Effect.forkChild(Effect.exit(ask(name, isAtOnce)), { startImmediately: true })
  return { lane, events, gate, begin }
})

describe("SuggestionLane", () => {
  it.effect("sends the last question after the pause, and answers the ones before it as overtaken", () =>
    Effect.gen(function* () {
      const { begin, events, gate } = yield* setUp
      const one = yield* begin("one")
      yield* TestClock.adjust("99 millis")
      const two = yield* begin("two")
      assert.deepStrictEqual(yield* Fiber.join(one), Exit.succeed(SuggestionLane.overtaken))
      yield* TestClock.adjust("99 millis")
      assert.deepStrictEqual(events, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(events, ["sent two"])
      yield* Deferred.succeed(gate("two"), "answer")
      assert.deepStrictEqual(yield* Fiber.join(two), Exit.succeed("answer"))
    })
  )

  it.effect("interrupts a request that a change has made useless, and sends the next one after its end", () =>
    Effect.gen(function* () {
      const { begin, events, lane } = yield* setUp
      const one = yield* begin("one", true)
      assert.deepStrictEqual(events, ["sent one"])
      yield* lane.changed
      assert.deepStrictEqual(yield* Fiber.join(one), Exit.succeed(SuggestionLane.overtaken))
      yield* begin("two")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(events, ["sent one", "cancelled one", "sent two"])
    })
  )

  it.effect("hands on a failure, and goes on", () =>
    Effect.gen(function* () {
      const { begin, gate } = yield* setUp
      const one = yield* begin("one", true)
      yield* Deferred.fail(gate("one"), "broken")
      assert.deepStrictEqual(yield* Fiber.join(one), Exit.fail("broken"))
      const two = yield* begin("two", true)
      yield* Deferred.succeed(gate("two"), "answer")
      assert.deepStrictEqual(yield* Fiber.join(two), Exit.succeed("answer"))
    })
  )

  it.effect("cancels the request of somebody who waits no more", () =>
    Effect.gen(function* () {
      const { begin, events } = yield* setUp
      const one = yield* begin("one", true)
      yield* Fiber.interrupt(one)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(events, ["sent one", "cancelled one"])
    })
  )
})
