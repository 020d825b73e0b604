import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as RestartBackoff from "../src/RestartBackoff.ts"

const { healthyAfterMs, longestDelayMs, next, triesPerWindow, windowMs } = RestartBackoff

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** How long each run lasted and how long it took until the next, most of them short. */
const Steps = Schema.Array(
  Schema.Struct({
    lasted: Schema.Union([between(0, 5000), between(0, 2 * healthyAfterMs)]),
    pause: Schema.Union([between(0, 3000), between(0, windowMs)])
  })
)
/** Hundredths. */
const Dice = between(0, 99)

const historyOf = (steps: typeof Steps.Type) => {
  let now = 1_000_000
  const history = steps.map(({ lasted, pause }): RestartBackoff.Run => {
    const startedAt = now
    now += lasted + pause
    return { startedAt, endedAt: startedAt + lasted }
  })
  return { history, now }
}

/** Enough for histories that end in giving up. */
const thorough = { arbitrary: { runs: 500, size: 30 } }

/** Runs that each ended at once, so many milliseconds ago. */
const failures = (now: number, ...ago: ReadonlyArray<number>): ReadonlyArray<RestartBackoff.Run> =>
  ago.map((ms) => ({ startedAt: now - ms, endedAt: now - ms + 10 }))

describe("RestartBackoff", () => {
  const now = 10_000_000

  it("doubles from half a second", () => {
    const delays = [1, 2, 3, 4].map((count) => {
      const decision = next(failures(now, ...Array.from({ length: count }, (_, at) => 4000 - at)), now, 0.5)
      return decision.givenUp ? undefined : decision.delayMs
    })
    assert.deepStrictEqual(delays, [500, 1000, 2000, 4000])
  })

  it("gives up after five tries in five minutes, and says when there is room again", () => {
    const history = failures(now, 200_000, 100_000, 50_000, 20_000, 1000)
    const decision = next(history, now, 0.5)
    assert.deepStrictEqual(decision, { givenUp: true, tries: 5, retryAt: now + 100_000 })
    assert.isTrue(next(history, now + 99_999, 0.5).givenUp)
    // Sixteen times the first delay by then, though the window knows of four only.
    assert.deepStrictEqual(next(history, now + 100_000, 0.5), { givenUp: false, delayMs: 8000 })
  })

  it("forgets all failures when a run has lasted a minute, also one that still goes on", () => {
    const bad = failures(now, 250_000, 240_000, 230_000, 220_000, 210_000)
    const good = { startedAt: now - healthyAfterMs - 5000, endedAt: now - 5000 }
    assert.deepStrictEqual(next([...bad, good], now, 0.5), { givenUp: false, delayMs: 500 })
    const up = { startedAt: now - healthyAfterMs }
    assert.deepStrictEqual(next([...bad, up], now, 0.5), { givenUp: false, delayMs: 500 })
    assert.isTrue(next([...bad, { startedAt: now - healthyAfterMs + 1 }], now, 0.5).givenUp)
  })

  it("does not wait for a time that comes round again after the clock was set back", () => {
    const ahead = failures(now + 10 * windowMs, 5, 4, 3, 2, 1)
    assert.isFalse(next(ahead, now, 0.5).givenUp)
  })

  it.prop(
    "a delay is never negative, never too long, and within a fifth of a power of two",
    [Steps, Dice],
    ([steps, dice]) => {
      const { history, now } = historyOf(steps)
      const decision = next(history, now, dice / 100)
      if (decision.givenUp) return
      const { delayMs } = decision
      const exact = Array.from({ length: 7 }, (_, power) => Math.min(500 * 2 ** power, longestDelayMs))
      assert.isTrue(exact.some((middle) => delayMs >= 0.8 * middle && delayMs <= 1.2 * middle))
      assert.isAtMost(delayMs, longestDelayMs)
    },
    thorough
  )

  it.prop(
    "who waits until the window has room may go on, and not a moment before",
    [Steps, Dice],
    ([steps, dice]) => {
      const { history, now } = historyOf(steps)
      const decision = next(history, now, dice / 100)
      if (!decision.givenUp) return
      assert.isAbove(decision.retryAt, now)
      assert.isAtMost(decision.retryAt, now + windowMs)
      assert.isTrue(next(history, decision.retryAt - 1, dice / 100).givenUp)
      assert.isFalse(next(history, decision.retryAt, dice / 100).givenUp)
    },
    thorough
  )

  it.prop(
    "whoever keeps to it never tries more than five times in five minutes",
    [Schema.Array(Dice)],
    ([rolls]) => {
      let now = 0
      const starts: Array<number> = []
      let history: ReadonlyArray<RestartBackoff.Run> = []
      for (const dice of rolls) {
        const decision = next(history, now, dice / 100)
        now = decision.givenUp ? decision.retryAt : now + decision.delayMs
        if (decision.givenUp) continue
        starts.push(now)
        history = RestartBackoff.keep([...history, { startedAt: now, endedAt: now + dice }], now + dice)
        now += dice
      }
      for (const [at, start] of starts.entries()) {
        const sixth = starts[at + triesPerWindow]
        if (sixth !== undefined) assert.isAtLeast(sixth - start, windowMs)
      }
    },
    thorough
  )

  it.prop(
    "what is not kept makes no difference",
    [Steps, Dice],
    ([steps, dice]) => {
      const { history, now } = historyOf(steps)
      const kept = RestartBackoff.keep(history, now)
      assert.isAtMost(kept.length, 7)
      assert.deepStrictEqual(next(kept, now, dice / 100).givenUp, next(history, now, dice / 100).givenUp)
      const [of, ofAll] = [next(kept, now, dice / 100), next(history, now, dice / 100)]
      if (!of.givenUp && !ofAll.givenUp) assert.strictEqual(of.delayMs, ofAll.delayMs)
      if (of.givenUp && ofAll.givenUp) assert.strictEqual(of.retryAt, ofAll.retryAt)
    },
    thorough
  )
})
