import { assert, describe, it } from "@effect/vitest"
import { diffModel, type Row } from "@signalbox/contracts/DiffModel"

const model = (oldText: string | null, newText: string) => diffModel({ path: "a", oldText, newText })
const draw = (row: Row): string => {
  switch (row.type) {
    case "same":
      return `${row.old} ${row.new}  ${row.text}`
    case "del":
      return `${row.old} - ${row.spans.map(({ changed, text }) => (changed ? `[${text}]` : text)).join("")}`
    case "add":
      return `${row.new} + ${row.spans.map(({ changed, text }) => (changed ? `[${text}]` : text)).join("")}`
    case "skip":
      return `skip ${row.rows.length}`
  }
}
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("")

describe("the rows of a diff", () => {
  it("number both sides and tint the words that differ", () => {
    const { added, removed, rows } = model("a\nconst x = one\nb\n", "a\nconst x = two\nb\nc\n")
    assert.deepStrictEqual(rows.map(draw), ["1 1  a", "2 - const x = [one]", "2 + const x = [two]", "3 3  b", "4 + c"])
    assert.deepStrictEqual([added, removed], [2, 1])
  })

  it("tint nothing when lines have little in common", () => {
    assert.deepStrictEqual(model("alpha beta gamma\n", "one two three\n").rows.map(draw), [
      "1 - alpha beta gamma",
      "1 + one two three"
    ])
  })

  it("of a new file are all added", () => {
    const { added, removed, rows } = model(null, "a\nb\n")
    assert.deepStrictEqual(rows.map(draw), ["1 + a", "2 + b"])
    assert.deepStrictEqual([added, removed], [2, 0])
  })

  it("of an emptied text are all removed", () => {
    assert.deepStrictEqual(model("a\nb", "").rows.map(draw), ["1 - a", "2 - b"])
  })

  it("fold long unchanged stretches and keep three lines around changes", () => {
    const { rows } = model(`${numbered(1, 30)}x\n${numbered(31, 60)}`, `${numbered(1, 30)}y\n${numbered(31, 60)}`)
    assert.deepStrictEqual(rows.map(draw), [
      "skip 27",
      "28 28  line 28",
      "29 29  line 29",
      "30 30  line 30",
      "31 - x",
      "31 + y",
      "32 32  line 31",
      "33 33  line 32",
      "34 34  line 33",
      "skip 27"
    ])
  })

  it("do not differ by a missing line break at the end", () => {
    assert.deepStrictEqual(model("a\nb", "a\nb\nc\n").rows.map(draw), ["1 1  a", "2 2  b", "3 + c"])
  })

  it("hide Windows line breaks that both sides have, and show those that differ", () => {
    assert.deepStrictEqual(model("a\r\nb\r\n", "a\r\nc\r\n").rows.map(draw), ["1 1  a", "2 - b", "2 + c"])
    assert.strictEqual(model("a\nb\n", "a\r\nb\n").added, 1)
  })

  it("know that pieces of a file have no line numbers", () => {
    assert.isTrue(model("a\n...\nb\n", "c\n...\nd\n").pieces)
    assert.isFalse(model("a\n", "b\n").pieces)
    assert.isFalse(model(null, "a\n...\nb\n").pieces)
  })

  it("stay bounded when everything differs", () => {
    const text = (word: string) => Array.from({ length: 12_000 }, (_, index) => `${word} ${index * 7919}\n`).join("")
    const before = process.cpuUsage()
    const { added, removed, unmatched } = model(text("old"), text("new"))
    assert.isBelow(process.cpuUsage(before).user / 1e6, 10)
    assert.isTrue(unmatched)
    assert.deepStrictEqual([added, removed], [12_000, 12_000])
  })
})
