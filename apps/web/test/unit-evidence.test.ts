import { assert, describe, it } from "@effect/vitest"
import { hasPrinted, headingOf, printed } from "../src/problems/evidence.ts"

describe("the evidence of a problem", () => {
  it("has each stream under its name, the protocol's one told apart", () => {
    const lines = printed({
      stderrTail: ["two", "three"],
      stderrLines: 3,
      stdoutTail: ["usage: foo"],
      exitCode: 3
    })
    assert.deepStrictEqual(
      lines.map(({ text, voice }) => `${voice} ${text}`),
      [
        "ours stderr, last 2 of 3 lines",
        "agent two",
        "agent three",
        "ours stdout, not the protocol",
        "agent usage: foo",
        "ours exit: code 3"
      ]
    )
  })

  it("counts lines only where some are not here", () => {
    assert.strictEqual(headingOf("stderr", 1, 1), "stderr")
    assert.strictEqual(headingOf("stderr", 4, 212), "stderr, last 4 of 212 lines")
  })

  it("is not shown where nothing was printed", () => {
    assert.isFalse(hasPrinted({ stderrTail: [], stdoutTail: [], path: "/x" }))
    assert.isTrue(hasPrinted({ stdoutTail: ["usage: foo"] }))
  })
})
