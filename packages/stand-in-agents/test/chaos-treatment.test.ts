import { assert, describe, it } from "vitest"
import { ScheduleInvalid, type Fault, faults, parse } from "../src/chaos/Schedule.ts"
import { Moments } from "../src/chaos/Moments.ts"
import { treat } from "../src/chaos/Treatment.ts"

const all = (chance: number) => Object.fromEntries(faults.map((fault) => [fault, chance]))
const ratesOf = (rates: object) => parse(JSON.stringify({ toClient: rates })).toClient
const line = Buffer.from(
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { text: "Grüße 👋" } })}\n`
)
const seeds = Array.from({ length: 500 }, (_, seed) => seed)
const at = (seed: number, rates: object, number = 1, method?: string) =>
  treat(seed, "toClient", number, line, method, ratesOf(rates))

describe("what befalls a line", () => {
  it("is the same for the same seed and line, and differs between seeds, lines and directions", () => {
    for (const seed of seeds) assert.deepStrictEqual(at(seed, all(0.5)), at(seed, all(0.5)))
    const drawn = (make: (seed: number) => ReadonlyArray<Fault>) => new Set(seeds.map((seed) => make(seed).join())).size
    assert.isAbove(
      drawn((seed) => at(seed, all(0.5)).faults),
      100
    )
    assert.isAbove(
      drawn((number) => at(7, all(0.5), number).faults),
      100
    )
    const other = treat(7, "toAgent", 1, line, undefined, ratesOf(all(0.5)))
    assert.notDeepEqual(other, at(7, all(0.5)))
  })

  it("is nothing without rates, and happens as often as it is asked for", () => {
    for (const seed of seeds) assert.deepStrictEqual(at(seed, {}).bytes, line)
    for (const fault of faults) {
      const often = seeds.filter((seed) => at(seed, { [fault]: 0.3 }).faults.includes(fault)).length
      assert.closeTo(often / seeds.length, 0.3, 0.08, fault)
      assert.isTrue(seeds.every((seed) => at(seed, { [fault]: 1 }).faults.includes(fault)))
    }
  })

  it("leaves every other fault where it was when one is turned on", () => {
    for (const fault of faults) {
      const without = (seed: number, rates: object) => at(seed, rates).faults.filter((name) => name !== fault)
      for (const seed of seeds)
        assert.deepStrictEqual(without(seed, all(0.3)), without(seed, { ...all(0.3), [fault]: 0 }))
    }
  })

  it("garbles a line into one that is no JSON", () => {
    for (const seed of seeds) {
      const { bytes } = at(seed, { garble: 1 })
      assert.strictEqual(bytes.indexOf(10), bytes.length - 1)
      assert.throws(() => JSON.parse(bytes.toString()))
    }
    for (const body of ["", "1", "{}", "[]", "null", '""'])
      for (const seed of seeds.slice(0, 50)) {
        const { bytes } = treat(seed, "toClient", 1, Buffer.from(`${body}\n`), undefined, ratesOf({ garble: 1 }))
        assert.throws(() => JSON.parse(bytes.toString()), undefined, undefined, `${body} ${seed}`)
      }
  })

  it("cuts within the line, within characters too", () => {
    const smiley = line.indexOf("👋")
    const inside = seeds.filter((seed) => {
      const { cuts } = at(seed, { split: 1 })
      assert.isTrue(cuts.every((cut, index) => cut > (cuts[index - 1] ?? 0) && cut < line.length))
      assert.isAtLeast(cuts.length, 1)
      return cuts.some((cut) => cut > smiley && cut < smiley + 4)
    })
    assert.isAbove(inside.length, 10)
  })

  it("loses, doubles, garbles and reorders only what it may", () => {
    const rates = { drop: 1, duplicate: 1, garble: 1, reorder: 1, split: 1, only: ["session/update"] }
    for (const seed of seeds.slice(0, 50)) {
      assert.deepStrictEqual(at(seed, rates).faults, ["split"])
      assert.deepStrictEqual(at(seed, rates, 1, "session/request_permission").faults, ["split"])
      assert.strictEqual(at(seed, rates, 1, "session/update").copies, 0)
    }
  })
})

describe("a schedule", () => {
  it.each([
    ["[]", /is a JSON object/],
    ["{", /is a JSON object/],
    ['{"toAgnet":{}}', /“toAgnet” is no part of a schedule/],
    ['{"toAgent":{"dorp":1}}', /“dorp” is no part of a direction/],
    ['{"toAgent":{"drop":2}}', /chance from 0 to 1, not 2/],
    ['{"toAgent":{"delayMs":[5,1]}}', /least and the most/],
    ['{"toAgent":{"only":"session\\/update"}}', /list of methods/],
    ['{"moments":[{"do":"kill-agent"}]}', /direction/],
    ['{"moments":[{"direction":"toAgent","do":"sulk"}]}', /one of kill-agent/],
    ['{"moments":[{"direction":"toAgent","do":"stall","nth":0}]}', /counts from 1/]
  ])("%s is refused with a reason", (text, reason) => {
    assert.throws(() => parse(text), ScheduleInvalid, reason)
  })

  it("has moments that come once: by count, by method and by what is answered", () => {
    const moments = new Moments(
      parse(
        JSON.stringify({
          moments: [
            { direction: "toClient", nth: 2, do: "stall" },
            { direction: "toAgent", method: "session/prompt", nth: 2, do: "kill-agent" },
            { direction: "toClient", answers: "session/prompt", do: "kill-proxy", when: "before" }
          ]
        })
      ).moments
    )
    const heard = (direction: "toAgent" | "toClient", message: object) =>
      moments.due(moments.hear(direction, JSON.stringify(message))).map((moment) => moment.do)
    assert.deepStrictEqual(heard("toAgent", { id: 0, method: "session/prompt" }), [])
    assert.deepStrictEqual(heard("toClient", { id: 0, method: "session/request_permission" }), [])
    assert.deepStrictEqual(heard("toAgent", { id: 0, result: {} }), [])
    assert.deepStrictEqual(heard("toClient", { id: 0, result: {} }), ["stall", "kill-proxy"])
    assert.deepStrictEqual(heard("toAgent", { id: 1, method: "session/prompt" }), ["kill-agent"])
    assert.deepStrictEqual(heard("toAgent", { id: 2, method: "session/prompt" }), [])
    assert.deepStrictEqual(heard("toClient", { id: 2, result: {} }), [])
  })
})
