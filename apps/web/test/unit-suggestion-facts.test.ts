import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { SuggestionFigures, SuggestionQuality } from "@signalbox/contracts/SuggestionQuality"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import SuggestionFacts, { sentencesOf } from "../src/agents/SuggestionFacts.tsx"

const none: SuggestionFigures = {
  accepted: 0,
  dismissed: 0,
  ignored: 0,
  replaced: 0,
  stale: 0,
  refused: 0,
  reasons: [],
  answered: 0,
  overtaken: 0,
  failed: 0
}

const draw = (quality: SuggestionQuality, providerId: string) =>
  renderToStaticMarkup(createElement(SuggestionFacts, { quality, providerId }))

describe("what became of suggestions", () => {
  it("names each end once: what people went on without, and what the next answer replaced, are not used", () => {
    const figures = { ...none, accepted: 3, dismissed: 1, ignored: 4, replaced: 5, stale: 2, refused: 1 }
    assert.deepEqual(sentencesOf({ ...figures, reasons: [{ reason: "outOfRange", times: 1 }] }), [
      "3 accepted, 1 dismissed, 9 not used, 2 too late, 1 refused.",
      "Refused: 1 behind the end of the file."
    ])
  })

  it("says of one answer how long it took, and of several half of them and 95 %", () => {
    const [, one] = sentencesOf({ ...none, answered: 1, latency: { p50: 12, p95: 12 } })
    assert.strictEqual(one, "The one answer took 12 ms.")
    const [, several] = sentencesOf({ ...none, answered: 40, latency: { p50: 12, p95: 140 } })
    assert.strictEqual(several, "Half of 40 answers came within 12 ms, 95 % within 140 ms.")
  })

  it("keeps a reason that this page does not know", () => {
    const [, why] = sentencesOf({ ...none, refused: 2, reasons: [{ reason: "fromTheFuture", times: 2 }] })
    assert.strictEqual(why, "Refused: 2 fromTheFuture.")
  })

  it("counts failed questions, and says of an agent with no figure that it was not asked", () => {
    assert.include(sentencesOf({ ...none, failed: 1 }), "1 question failed.")
    assert.include(sentencesOf({ ...none, failed: 7 }), "7 questions failed.")
    assert.deepEqual(sentencesOf(none), ["Not asked."])
  })

  it("is silent about an agent that is neither asked nor chosen", () => {
    const agents = [{ providerId: ProviderId.make("nes"), name: "Next Edit", since: 0, last30Days: none, all: none }]
    assert.strictEqual(draw({ agents, chosen: "nes" }, "eliza"), "")
    assert.include(draw({ agents: [], chosen: "nes" }, "nes"), "Chosen in the settings. Not asked yet.")
  })
})
