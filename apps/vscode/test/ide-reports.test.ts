/** When findings of an editor count as those of the text that it has now. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Reports from "../src/ide/Reports.ts"

const uri = "file:///a.ts"

const staged = Effect.fnUntraced(function* (findings: ReadonlyArray<string> = []) {
  let hearing: Reports.Hearing | undefined
  const reports = yield* Reports.make({
    open: () => [],
    hasFindings: (one) => findings.includes(one),
    listen: (given) => {
      hearing = given
      return () => (hearing = undefined)
    }
  })
  if (hearing === undefined) return yield* Effect.die("Nobody listens")
  const ask = Effect.forkChild(reports.settled(uri), { startImmediately: true })
  /** What a question is answered that waits for so long. */
  const after = Effect.fnUntraced(function* (asked: Fiber.Fiber<boolean>, milliseconds: number) {
    yield* TestClock.adjust(milliseconds)
    const exit = asked.pollUnsafe()
    return exit === undefined ? "waits" : yield* exit
  })
  return { hearing, ask, after }
})

describe("findings in a text", () => {
  it.effect("count when it has been quiet behind the news, since types are looked at after syntax", () =>
    Effect.gen(function* () {
      const { after, ask, hearing } = yield* staged()
      hearing.opened(uri)
      const asked = yield* ask
      assert.strictEqual(yield* after(asked, 500), "waits")
      hearing.found([uri])
      assert.strictEqual(yield* after(asked, 900), "waits")
      hearing.found([uri])
      assert.strictEqual(yield* after(asked, 900), "waits")
      assert.isTrue(yield* after(asked, 100))
    })
  )

  it.effect("are not known while nobody has reported on an open file, and none if nobody does for long", () =>
    Effect.gen(function* () {
      const { after, ask, hearing } = yield* staged()
      hearing.opened(uri)
      hearing.found(["file:///another.ts"])
      assert.isFalse(yield* after(yield* ask, 8000))
      assert.isFalse(yield* after(yield* ask, 8000))
      assert.isFalse(yield* after(yield* ask, 8000))
      assert.isTrue(yield* after(yield* ask, 6000))
    })
  )

  it.effect("that stay none behind a change are no news, and count after a while", () =>
    Effect.gen(function* () {
      const { after, ask, hearing } = yield* staged()
      hearing.opened(uri)
      hearing.found([uri])
      assert.isTrue(yield* after(yield* ask, 1000))
      hearing.changed(uri)
      const asked = yield* ask
      assert.strictEqual(yield* after(asked, 3900), "waits")
      assert.isTrue(yield* after(asked, 100))
    })
  )

  it.effect("that never stop to change are taken as they are at last", () =>
    Effect.gen(function* () {
      const { after, ask, hearing } = yield* staged([uri])
      hearing.opened(uri)
      const asked = yield* ask
      for (let time = 0; time < 15; time++) {
        hearing.found([uri])
        assert.strictEqual(yield* after(asked, 500), "waits")
      }
      hearing.found([uri])
      assert.isTrue(yield* after(asked, 500))
    })
  )
})
