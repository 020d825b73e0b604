import * as SearchAndReplace from "@signalbox/acp/SearchAndReplace"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Worker } from "node:worker_threads"
import * as PatternSearch from "../../src/editing/PatternSearch.ts"

const patient = PatternSearch.matcher("5 minutes")
const places = (search: string, replace: string, text: string, matcher = patient) =>
  SearchAndReplace.placesIn({ search, replace, isRegex: true }, text, matcher)

describe("patterns of agents", () => {
  it.live("are found in another thread, line by line, with their groups", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* places("^(\\w)(?<rest>.*?)(!)?$", "$<rest>$1$3", "one\ntwo!"), [
        { from: 0, to: 3, newText: "neo" },
        { from: 4, to: 8, newText: "wot!" }
      ])
      assert.deepStrictEqual(yield* places("\\-", "+", "a-b"), [{ from: 1, to: 2, newText: "+" }], "without u")
      assert.deepStrictEqual(yield* places("^", "> ", "a\nb"), [
        { from: 0, to: 0, newText: "> " },
        { from: 2, to: 2, newText: "> " }
      ])
    })
  )

  it.live("that run without end are stopped at the deadline, and hold nothing up", () =>
    Effect.gen(function* () {
      let turns = 0
      const turn = setInterval(() => {
        turns += 1
      }, 1)
      const text = `${"a".repeat(100_000)}!`
      const error = yield* Effect.flip(places("(a+)+$", "", text, PatternSearch.matcher("50 millis")))
      clearInterval(turn)
      assert.strictEqual(error.reason, "tooSlow")
      assert.strictEqual(error.message, "The regular expression was stopped, since it ran too long")
      assert.isAbove(turns, 0)
    })
  )

  it.live("in one answer share their time: when it is used up, the others are not begun", () =>
    Effect.gen(function* () {
      const text = `${"a".repeat(100_000)}!`
      const shared = PatternSearch.matcherForAnswer("50 millis")
      const first = yield* Effect.flip(places("(a+)+$", "", text, shared))
      assert.strictEqual(first.message, "The regular expression was stopped, since it ran too long")
      const second = yield* Effect.flip(places("!", "", text, shared))
      assert.strictEqual(second.message, "Patterns before it took all the time that there was")
      const other = PatternSearch.matcherForAnswer("5 minutes")
      for (const _ of ["one", "two"]) assert.lengthOf(yield* places("!", "", text, other), 1)
    })
  )

  it.live("end with their search and with their caller", () =>
    Effect.gen(function* () {
      const threads: Array<Worker> = []
      const noted = PatternSearch.matcher("5 minutes", (thread) => threads.push(thread))
      yield* places("a", "b", "a", noted)
      yield* Effect.timeoutOption(places("(a+)+$", "", `${"a".repeat(100_000)}!`, noted), "50 millis")
      assert.deepStrictEqual(
        threads.map(({ threadId }) => threadId),
        [-1, -1]
      )
    })
  )

  it.live("that are none, or match too often, are refused in words", () =>
    Effect.gen(function* () {
      const invalid = yield* Effect.flip(places("(", "", "a"))
      assert.strictEqual(invalid.reason, "invalid")
      assert.match(invalid.message, /^It is no regular expression: Invalid regular expression/)
      assert.strictEqual((yield* Effect.flip(places("", "x", "a".repeat(20_000)))).reason, "tooMany")
    })
  )

  it.live("that find more than can be looked at are refused, before it is copied here", () =>
    Effect.gen(function* () {
      const all = yield* Effect.flip(places("(?=([\\s\\S]*))", "x", "a".repeat(10_000)))
      assert.strictEqual(all.message, "The search has failed: it finds more text than can be looked at")
      const groups = yield* Effect.flip(places(`a${"()".repeat(500)}`, "x", "a".repeat(9_000)))
      assert.strictEqual(groups.reason, "failed")
      assert.lengthOf(yield* places("(a)(b)?", "$1", "a".repeat(9_000)), 9_000)
    })
  )
})
