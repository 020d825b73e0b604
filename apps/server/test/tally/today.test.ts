/** The counts of today are written soon, and start from zero at midnight. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { SuggestionsToday } from "@signalbox/contracts/Suggestions"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import * as SuggestionTally from "../../src/tally/SuggestionTally.ts"

const nes = { id: ProviderId.make("nes"), kind: "acp", name: "Nes", simulated: false } as const
const other = { ...nes, id: ProviderId.make("other") }

/** The figures of an agent as they come. */
const followed = Effect.gen(function* () {
  const { of, today } = yield* SuggestionTally.SuggestionTally
  const figures = yield* Queue.unbounded<SuggestionsToday | undefined>()
  yield* Effect.forkScoped(Stream.runForEach(today(nes), (now) => Queue.offer(figures, now)))
  return { next: Queue.take(figures), count: of(nes).ended, elsewhere: of(other).ended }
})

describe("the figures of today", () => {
  it.effect("are those of the agent, and end at midnight UTC", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 2, 1, 23, 59, 0))
      const { count, elsewhere, next } = yield* followed
      assert.deepStrictEqual(yield* next, { accepted: 0, dismissed: 0, unused: 0 })
      count("accepted")
      count("rejected")
      count("replaced")
      count("cancelled")
      elsewhere("accepted")
      yield* TestClock.adjust("1 second")
      // The tally writes the first count at once, and the others soon.
      assert.deepStrictEqual(yield* next, { accepted: 1, dismissed: 0, unused: 0 })
      assert.deepStrictEqual(yield* next, { accepted: 1, dismissed: 1, unused: 1 })
      yield* TestClock.adjust("58 seconds")
      count("accepted")
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(yield* next, { accepted: 2, dismissed: 1, unused: 1 })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* next, { accepted: 0, dismissed: 0, unused: 0 })
    }).pipe(Effect.provide(SuggestionTally.layer(join(temporaryFolder("tally"), "suggestions.sqlite"))), Effect.scoped)
  )

  it.effect("are said by nobody while their file can't be read", () => {
    const path = join(temporaryFolder("tally"), "suggestions.sqlite")
    writeFileSync(path, "no database at all, but long enough to be read as the beginning of one ".repeat(20))
    return Effect.gen(function* () {
      const { next } = yield* followed
      assert.isUndefined(yield* next)
    }).pipe(Effect.provide(SuggestionTally.layer(path)), Effect.scoped)
  })
})
