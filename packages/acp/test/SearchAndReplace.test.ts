import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SearchAndReplace from "../src/SearchAndReplace.ts"

const plain = (search: string, replace: string) => ({ search, replace, isRegex: false })
const pattern = (search: string, replace: string) => ({ search, replace, isRegex: true })
const match = (start: number, end: number, ...groups: ReadonlyArray<string | undefined>) => ({
  start,
  end,
  groups,
  named: {}
})

describe("SearchAndReplace", () => {
  it.effect("finds each place of a plain text, and takes nothing in it for a pattern", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* SearchAndReplace.placesIn(plain("a.", "$&$1"), "a.a.b a.xaa."), [
        { from: 0, to: 2, newText: "$&$1" },
        { from: 2, to: 4, newText: "$&$1" },
        { from: 6, to: 8, newText: "$&$1" },
        { from: 10, to: 12, newText: "$&$1" }
      ])
      assert.deepStrictEqual(yield* SearchAndReplace.placesIn(plain("", "x"), "abc"), [])
    })
  )

  it.effect("runs no regular expression by itself", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(SearchAndReplace.placesIn(pattern("(a+)+$", ""), "a".repeat(100_000)))
      assert.strictEqual(error.reason, "noMatcher")
    })
  )

  it.effect("puts what was found into the replacement of a regular expression", () =>
    Effect.gen(function* () {
      const searches: Array<SearchAndReplace.Search> = []
      const matcher: SearchAndReplace.Matcher = (search) => {
        searches.push(search)
        return Effect.succeed([
          { ...match(0, 3, "o", undefined), named: { it: "O", __proto__: "no" } },
          match(4, 7, ...Array.from({ length: 10 }, (_, i) => String(i + 1)))
        ])
      }
      const places = SearchAndReplace.placesIn(pattern("p", "[$$ $& $1 $2 $10 $11 $0 $<it> $<no>]"), "one two", matcher)
      assert.deepStrictEqual(yield* places, [
        { from: 0, to: 3, newText: "[$ one o  $10 $11 $0 O $<no>]" },
        { from: 4, to: 7, newText: "[$ two 1 2 10 $11 $0 $<it> $<no>]" }
      ])
      assert.deepStrictEqual(searches, [{ pattern: "p", text: "one two", most: SearchAndReplace.mostPlaces + 1 }])
    })
  )

  it.effect("refuses more places than can be looked at, and a text that grows without end", () =>
    Effect.gen(function* () {
      const most = SearchAndReplace.mostPlaces
      assert.lengthOf(yield* SearchAndReplace.placesIn(plain("a", "b"), "a".repeat(most)), most)
      const many = yield* Effect.flip(SearchAndReplace.placesIn(plain("a", "b"), "a".repeat(most + 1)))
      assert.strictEqual(many.reason, "tooMany")
      const text = "a".repeat(100_000)
      const whole: SearchAndReplace.Matcher = () =>
        Effect.succeed(Array.from({ length: most }, () => match(0, text.length)))
      const large = yield* Effect.flip(SearchAndReplace.placesIn(pattern("p", "$&$&"), text, whole))
      assert.strictEqual(large.reason, "tooLarge")
    })
  )

  it.effect("ends soon, in words, whatever a template does with what was found", () =>
    Effect.gen(function* () {
      const text = "a".repeat(1_000_000)
      const matching =
        (count: number, ...groups: ReadonlyArray<string | undefined>): SearchAndReplace.Matcher =>
        () =>
          Effect.succeed(Array.from({ length: count }, () => match(0, text.length, ...groups)))
      const reasonFor = (template: string, matcher: SearchAndReplace.Matcher) =>
        SearchAndReplace.placesIn(pattern("p", template), text, matcher).pipe(
          Effect.flip,
          Effect.map(({ reason }) => reason)
        )
      assert.strictEqual(
        yield* reasonFor("$&".repeat(1000), matching(1)),
        "tooLarge",
        "one text of a billion characters"
      )
      assert.strictEqual(
        yield* reasonFor("$1".repeat(500_000), matching(1000, undefined)),
        "tooLarge",
        "much for nothing"
      )
      const names = "$<".repeat(500_000)
      assert.deepStrictEqual(yield* SearchAndReplace.placesIn(pattern("p", names), text, matching(1)), [
        { from: 0, to: text.length, newText: names }
      ])
    })
  )
})
