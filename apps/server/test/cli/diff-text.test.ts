/** Diffs on a terminal. */
import { diffModel, type Row } from "@signalbox/contracts/DiffModel"
import { assert, describe, it } from "@effect/vitest"
import { compact, rowLine } from "../../src/cli/terminal/DiffText.ts"

const file = (count: number, ...changed: ReadonlyArray<number>) =>
  Array.from({ length: count }, (_, index) => `${changed.includes(index + 1) ? "new" : "old"} ${index + 1}\n`).join("")

const told = (count: number, ...changed: ReadonlyArray<number>) =>
  compact(diffModel({ path: "a.txt", oldText: file(count), newText: file(count, ...changed) }).rows).map((row) => {
    const line = rowLine(row, (text) => text)
    return (typeof line === "string" ? line : line.text).trim()
  })

describe("a diff on a terminal", () => {
  it("counts the lines that are left out between two changes", () => {
    const around = ["old 1", "- old 2", "+ new 2", "old 3"]
    assert.deepStrictEqual(told(8, 2, 7), [...around, "… 2 unchanged lines", "old 6", "- old 7", "+ new 7", "old 8"])
    assert.deepStrictEqual(told(40, 2, 39).slice(4, 5), ["… 34 unchanged lines"])
  })

  it("shows a single line instead of counting it", () => {
    assert.deepStrictEqual(told(7, 2, 6).slice(3, 6), ["old 3", "old 4", "old 5"])
  })

  it("says one line in the singular", () => {
    const one: Row = { type: "skip", rows: [{ type: "same", old: 1, new: 1, text: "a" }] }
    assert.strictEqual(
      rowLine(one, (text) => text),
      "      … 1 unchanged line"
    )
  })
})
