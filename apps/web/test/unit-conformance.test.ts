import type { ProbeResult } from "@signalbox/contracts/Conformance"
import { assert, describe, test } from "vitest"
import { byArea, claimWord, summaryOf } from "../src/agents/reportWords.ts"

const result = (probe: string, verdict: ProbeResult["verdict"], more: Partial<ProbeResult> = {}): ProbeResult => ({
  probe,
  area: "start",
  capability: probe,
  seen: "",
  verdict,
  ...more
})

describe("a report of what an agent does", () => {
  test("is summed up by its verdicts", () => {
    assert.strictEqual(
      summaryOf([result("a", "holds"), result("b", "holds"), result("c", "quirk"), result("d", "broken")]),
      "2 hold, 1 quirk, 1 broken"
    )
    assert.strictEqual(summaryOf([result("a", "holds"), result("b", "untried")]), "1 holds, 1 not tried")
    assert.strictEqual(summaryOf([]), "Nothing was tried")
  })

  test("stands by what was looked at, in the order of the report", () => {
    const results = [result("a", "holds"), result("b", "holds", { area: "end" }), result("c", "quirk")]
    assert.deepStrictEqual(
      byArea(results).map(([area, rows]) => [area, rows.map(({ probe }) => probe)]),
      [
        ["start", ["a", "c"]],
        ["end", ["b"]]
      ]
    )
  })

  test("distinguishes a claim from the lack of one", () => {
    assert.strictEqual(claimWord(result("a", "holds", { claimed: true })), "yes")
    assert.strictEqual(claimWord(result("a", "holds", { claimed: false })), "no")
    assert.strictEqual(claimWord(result("a", "holds")), "")
  })
})
