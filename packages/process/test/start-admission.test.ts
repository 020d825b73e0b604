/** The order of admitted starts, and the notices to waiting ones. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import * as StartAdmission from "../src/StartAdmission.ts"

/** Starts that are asked for one after the other, by number. */
const starts = (places: number) => {
  const admission = StartAdmission.make({ places, hold: "5 seconds" })
  const admitted: Array<number> = []
  const heard = new Map<number, Array<number>>()
  const ask = Effect.fnUntraced(function* (number: number) {
    const told: Array<number> = []
    heard.set(number, told)
    const scope = yield* Scope.make()
    const room = yield* Deferred.make<Effect.Effect<void>>()
    const fiber = yield* admission
      .admit((ahead) => told.push(ahead))
      .pipe(
        Effect.tap((release) => {
          admitted.push(number)
          return Deferred.succeed(room, release)
        }),
        Scope.provide(scope),
        Effect.onInterrupt(() => Scope.close(scope, Exit.void)),
        Effect.forkChild({ startImmediately: true })
      )
    return {
      makeRoom: Effect.flatten(Deferred.await(room)),
      end: Scope.close(scope, Exit.void),
      giveUp: Fiber.interrupt(fiber)
    }
  })
  return { admission, admitted, ask, heard }
}

describe("admission of starts", () => {
  it.effect("lets in as many as there are places, and the others in their order", () =>
    Effect.gen(function* () {
      const { admission, admitted, ask, heard } = starts(2)
      const first = yield* ask(1)
      const second = yield* ask(2)
      yield* ask(3)
      yield* ask(4)
      assert.deepStrictEqual([admitted, admission.waiting()], [[1, 2], 2])
      assert.deepStrictEqual([heard.get(1), heard.get(3), heard.get(4)], [[], [2], [3]])
      yield* second.makeRoom
      yield* Effect.yieldNow
      assert.deepStrictEqual(admitted, [1, 2, 3])
      yield* first.end
      yield* Effect.yieldNow
      assert.deepStrictEqual([admitted, admission.waiting()], [[1, 2, 3, 4], 0])
      assert.strictEqual(heard.get(4)?.at(-1), 0)
    })
  )

  it.effect("a place is given back once, however often that is said", () =>
    Effect.gen(function* () {
      const { admitted, ask } = starts(1)
      const first = yield* ask(1)
      yield* ask(2)
      yield* ask(3)
      yield* first.makeRoom
      yield* first.makeRoom
      yield* first.end
      yield* Effect.yieldNow
      assert.deepStrictEqual(admitted, [1, 2])
    })
  )

  it.effect("a start that waits for a login or a download holds nobody up for longer than its time", () =>
    Effect.gen(function* () {
      const { admitted, ask } = starts(1)
      yield* ask(1)
      yield* ask(2)
      yield* TestClock.adjust("4999 millis")
      assert.deepStrictEqual(admitted, [1])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(admitted, [1, 2])
    })
  )

  it.effect("who gives up while it waits is never let in, and those behind it move up", () =>
    Effect.gen(function* () {
      const { admission, admitted, ask, heard } = starts(1)
      const first = yield* ask(1)
      const second = yield* ask(2)
      yield* ask(3)
      assert.deepStrictEqual(heard.get(3), [2])
      yield* TestClock.adjust("1 second")
      yield* second.giveUp
      assert.deepStrictEqual([heard.get(3), admission.waiting()], [[2, 1], 1])
      yield* first.makeRoom
      yield* Effect.yieldNow
      assert.deepStrictEqual(admitted, [1, 3])
    })
  )

  it.effect("who gives up while it waits leaves its place, though its scope goes on", () =>
    Effect.gen(function* () {
      const admission = StartAdmission.make({ places: 1, hold: "5 seconds" })
      const makeRoom = yield* admission.admit()
      const waiting = yield* Effect.forkChild(admission.admit(), { startImmediately: true })
      assert.strictEqual(admission.waiting(), 1)
      yield* Fiber.interrupt(waiting)
      assert.strictEqual(admission.waiting(), 0)
      yield* makeRoom
      // The place is free again.
      yield* yield* admission.admit()
    })
  )

  it.effect("many that wait hear of it rarely", () =>
    Effect.gen(function* () {
      const { ask, heard } = starts(1)
      const asked = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, index) => index),
        ask
      )
      for (const { makeRoom } of asked) {
        yield* makeRoom
        yield* TestClock.adjust("100 millis")
      }
      const words = [...heard.values()].flat().length
      // One for each at its beginning and its end, and some fifty a second between.
      assert.isBelow(words, 2 * 200 + 20 * 60)
      assert.strictEqual(heard.get(199)?.at(-1), 0)
    })
  )
})
