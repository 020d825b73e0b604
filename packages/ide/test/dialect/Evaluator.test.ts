import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type DialectFunction, FunctionFailure } from "../../src/dialect/DialectFunction.ts"
import * as Evaluator from "../../src/dialect/Evaluator.ts"
import type { Value } from "../../src/dialect/Expression.ts"

/** Functions that note their calls. */
const noting = () => {
  const calls: Array<string> = []
  const make = (name: string, parameters: ReadonlyArray<string>, answer: (args: ReadonlyArray<Value>) => Value) => ({
    name,
    parameters,
    summary: "",
    run: (args: ReadonlyArray<Value>) =>
      Effect.sync(() => {
        calls.push(`${name}(${args.map((arg) => JSON.stringify(arg)).join(",")})`)
        return answer(args)
      })
  })
  const functions: ReadonlyArray<DialectFunction> = [
    make("one", [], () => 1),
    make("same", ["value"], ([value]) => value),
    make("join", ["left", "right?"], ([left, right]) => [left, right]),
    make("text", ["length"], ([length]) => "x".repeat(Number(length)))
  ]
  return { calls, functions }
}

describe("Evaluator", () => {
  it.effect("arguments run from left to right, each before its call", () =>
    Effect.gen(function* () {
      const { calls, functions } = noting()
      const text = yield* Evaluator.run('[join(same("a"), same(one())), {x: same("b"), y: undefined}]', { functions })
      assert.deepStrictEqual(JSON.parse(text), [["a", 1], { x: "b" }])
      assert.deepStrictEqual(calls, ['same("a")', "one()", "same(1)", 'join("a",1)', 'same("b")'])
    })
  )

  it.effect("what is undefined becomes null", () =>
    Effect.gen(function* () {
      const { functions } = noting()
      assert.strictEqual(yield* Evaluator.run("undefined", { functions }), "null")
      assert.strictEqual(yield* Evaluator.run("join(1)", { functions }), "[1,null]")
    })
  )

  it.effect("nothing runs where a later call can't be made", () =>
    Effect.gen(function* () {
      const { calls, functions } = noting()
      const unknown = yield* Effect.flip(Evaluator.run("[one(), Same(1)]", { functions }))
      assert.strictEqual(unknown.reason, "name")
      assert.strictEqual(
        unknown.message,
        "Line 1, column 9: there is no function Same. Did you mean same? Expected one of: one, same, join, text.\n  [one(), Same(1)]\n          ^"
      )
      const few = yield* Effect.flip(Evaluator.run("[one(), join()]", { functions }))
      assert.strictEqual(few.reason, "arguments")
      assert.include(few.message, "join takes 1 to 2 arguments, and got 0. Expected join(left, right?).")
      const many = yield* Effect.flip(Evaluator.run("one(2)", { functions }))
      assert.include(many.message, "one takes 0 arguments, and got 1. Expected one().")
      assert.deepStrictEqual(calls, [])
    })
  )

  it.effect("the number of calls is bounded before anything runs", () =>
    Effect.gen(function* () {
      const { calls, functions } = noting()
      const limits = { ...Evaluator.defaultLimits, calls: 3 }
      yield* Evaluator.run("[one(), same(one())]", { functions, limits })
      calls.length = 0
      const failure = yield* Effect.flip(Evaluator.run("[one(), same(same(one()))]", { functions, limits }))
      assert.strictEqual(failure.reason, "limit")
      assert.include(failure.message, "the program has more than 3 calls")
      assert.deepStrictEqual(calls, [])
    })
  )

  it.effect("a failure names the function and its place", () =>
    Effect.gen(function* () {
      const run = () => Effect.fail(new FunctionFailure({ reason: "failed", message: "no server." }))
      const functions = [...noting().functions, { name: "broken", parameters: [], summary: "", run }]
      const failure = yield* Effect.flip(Evaluator.run("[one(),\n  same(broken())]", { functions }))
      assert.strictEqual(failure.message, "Line 2, column 8: broken: no server.\n    same(broken())]\n         ^")
      assert.strictEqual(failure.reason, "failed")
    })
  )

  it.effect("a result that is too long is refused by its size, not cut", () =>
    Effect.gen(function* () {
      const { functions } = noting()
      const limits = { ...Evaluator.defaultLimits, resultBytes: 2048 }
      assert.strictEqual((yield* Evaluator.run("text(2046)", { functions, limits })).length, 2048)
      const failure = yield* Effect.flip(Evaluator.run("text(2047)", { functions, limits }))
      assert.strictEqual(failure.reason, "limit")
      assert.include(failure.message, "the result has 3 kB, and at most 2 kB are returned")
    })
  )

  it.effect("what functions return is bounded together, also where it is no part of the result", () =>
    Effect.gen(function* () {
      const { calls, functions } = noting()
      const limits = { ...Evaluator.defaultLimits, valueBytes: 4096 }
      const failure = yield* Effect.flip(Evaluator.run("[text(3000), text(3000), one()]", { functions, limits }))
      assert.include(failure.message, "longer than 4 kB together, with call 2 of 3, text")
      assert.lengthOf(calls, 2)
    })
  )

  it.effect("a program that never ends is ended, and says where it was and what it waited for", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const never: DialectFunction = {
        name: "never",
        parameters: [],
        summary: "",
        run: () =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
          )
      }
      const functions = [...noting().functions, never]
      const waiting = Effect.succeed("It waited for pyright, which reads the project.")
      const fiber = yield* Effect.forkChild(
        Effect.flip(Evaluator.run("[one(), never(), one()]", { functions, waiting }))
      )
      yield* Deferred.await(begun)
      yield* TestClock.adjust("10 seconds")
      const failure = yield* Fiber.join(fiber)
      yield* Deferred.await(ended)
      assert.strictEqual(failure.reason, "limit")
      assert.strictEqual(failure.column, 9)
      assert.include(
        failure.message,
        "the program took longer than 10 seconds. 1 of 3 calls were answered, and never was not. It waited for pyright, which reads the project."
      )
    })
  )
})
