import { assert, describe, it } from "@effect/vitest"
import { figuresOf } from "../../src/tally/Figures.ts"

describe("figures of suggestions", () => {
  it("have the percentiles of all answers, as sorting each one of them would", () => {
    for (let count = 1; count <= 120; count++) {
      const latencies = Array.from({ length: count }, (_, index) => (index * index * 7 + count) % 31)
      const times = new Map<number, number>()
      for (const latency of latencies) times.set(latency, (times.get(latency) ?? 0) + 1)
      const { answered, latency } = figuresOf(
        [...times].map(([detail, times]) => ({ what: "answered", detail, times }))
      )
      const sorted = latencies.toSorted((one, other) => one - other)
      const at = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? -1
      assert.strictEqual(answered, count)
      assert.deepStrictEqual(latency, { p50: at(50), p95: at(95) })
    }
  })

  it("have no latency without an answer, and their reasons by frequency", () => {
    const figures = figuresOf([
      { what: "refused", detail: "empty", times: 1 },
      { what: "refused", detail: "stale-looking", times: 3 },
      { what: "refused", detail: "tooMany", times: 0 },
      { what: "something of a later version", detail: "", times: 9 }
    ])
    assert.notProperty(figures, "latency")
    assert.strictEqual(figures.refused, 4)
    assert.deepStrictEqual(figures.reasons, [
      { reason: "stale-looking", times: 3 },
      { reason: "empty", times: 1 }
    ])
  })
})
