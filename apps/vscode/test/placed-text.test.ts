import { assert, describe, it } from "@effect/vitest"
import type { SuggestedPlace } from "@signalbox/contracts/Suggestions"
import { isSame } from "../src/suggestions/PlacedText.ts"

const textOf = (lines: ReadonlyArray<string>, isSameText = false) => ({
  lines: lines.length,
  line: (at: number) => lines[at] ?? assert.fail("There is such a line"),
  isSameText
})
const placeOf = (line: string, after: ReadonlyArray<string>, endLine = 0, end = 1): SuggestedPlace => ({
  range: { start: { line: 0, character: 0 }, end: { line: endLine, character: end } },
  newText: "x",
  line,
  before: [],
  after
})

describe("a place of a suggestion", () => {
  it("is the same where its whole line is", () => {
    assert.isTrue(isSame(textOf(["ab"]), placeOf("ab", [])))
    assert.isFalse(isSame(textOf(["abc"]), placeOf("ab", [])))
    assert.isFalse(isSame(textOf(["anything"]), placeOf("", [])))
  })

  it("is the same by the beginning of a line that the server has cut, if the text is the same", () => {
    const cut = "x".repeat(400)
    assert.isTrue(isSame(textOf([`${cut}y`], true), placeOf(cut, [])))
    assert.isFalse(isSame(textOf([`${cut}y`]), placeOf(cut, [])))
    assert.isFalse(isSame(textOf([`y${cut}`], true), placeOf(cut, [])))
  })

  it("ends in a line that there is, and within it", () => {
    assert.isFalse(isSame(textOf(["ab"], true), placeOf("ab", [], 1)))
    assert.isFalse(isSame(textOf(["ab"], true), placeOf("ab", [], 0, 3)))
  })

  it("has all its lines, and the same text where the server has not shown them", () => {
    assert.isTrue(isSame(textOf(["a", "b", "c"]), placeOf("a", ["b", "c"], 2)))
    assert.isFalse(isSame(textOf(["a", "x", "c"], true), placeOf("a", ["b", "c"], 2)))
    const lines = ["a", "b", "c", "d"]
    assert.isTrue(isSame(textOf(lines, true), placeOf("a", ["b", "c"], 3)))
    assert.isFalse(isSame(textOf(lines), placeOf("a", ["b", "c"], 3)))
  })
})
