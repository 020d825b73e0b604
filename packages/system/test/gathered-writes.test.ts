/** Writes are gathered: one for what comes within a moment, and one for the rest at the end. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as GatheredWrites from "../src/GatheredWrites.ts"

describe("gathered writes", () => {
  it.effect("are one write for all that came within the moment, and one for the rest at the end", () =>
    Effect.gen(function* () {
      const written: Array<ReadonlyArray<string>> = []
      let waiting: Array<string> = []
      const write = Effect.sync(() => {
        written.push(waiting)
        waiting = []
      })
      yield* Effect.gen(function* () {
        const gathered = yield* GatheredWrites.make("1 second", write)
        const add = (line: string) => {
          waiting.push(line)
          gathered()
        }
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(written, [], "nothing was there to write")
        add("a")
        add("b")
        yield* TestClock.adjust("999 millis")
        assert.deepStrictEqual(written, [])
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(written, [["a", "b"]])
        add("c")
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(written, [["a", "b"], ["c"]])
    })
  )
})
