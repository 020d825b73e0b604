/** Waiting for an agent to be silent, whatever the clock does meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Silence from "../../../src/provider/acp/session/Silence.ts"
import { settable } from "../../support/WallClock.ts"

const needed = () => Duration.millis(300)

describe("the silence of an agent", () => {
  it.effect("comes about when it has said nothing for so long", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(Silence.wait({ lastSignAt: () => 0 }, needed))
      yield* TestClock.adjust("299 millis")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(yield* Fiber.join(waiting))
    })
  )

  it.effect("is not over what the agent wrote while we were held up, which is read a moment later", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let at = 0
      const lastSignAt = () => {
        const known = at
        // It is read when the time is over already.
        if (clock.currentTimeMillisUnsafe() >= 300) setImmediate(() => (at = 200))
        return known
      }
      const waiting = yield* Effect.forkChild(Silence.wait({ lastSignAt }, needed))
      yield* TestClock.adjust("300 millis")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("200 millis")
      assert.isTrue(yield* Fiber.join(waiting))
    })
  )

  it.effect("is waited for ten seconds at most, also when the clock is set back by an hour", () =>
    Effect.gen(function* () {
      const { setBack, within } = yield* settable
      const waiting = yield* Effect.forkChild(within(Silence.wait({ lastSignAt: () => 0 }, needed)))
      yield* TestClock.adjust("100 millis")
      setBack(3_600_000)
      yield* TestClock.adjust("9900 millis")
      assert.isDefined(waiting.pollUnsafe())
      assert.isFalse(yield* Fiber.join(waiting))
    })
  )
})
