import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { changeBetween, inOrder } from "../src/SmallestChange.ts"

const applied = (before: string, after: string): string => {
  const change = changeBetween(before, after)
  return change === undefined ? before : before.slice(0, change.from) + change.insert + before.slice(change.to)
}

/** Texts of few pieces, so that two of them have much in common. */
const Text = Schema.Array(
  Schema.Literals(["a", "b", "\n", "\r\n", "\r", "😀", "😁", "🐀", "é", "\ud83d", "\ude00"])
).check(Schema.isMaxLength(12))

/** Whether a place is within a character or a line end. */
const cuts = (text: string, at: number): boolean =>
  (/[\ud800-\udbff]$/.test(text.slice(0, at)) && /^[\udc00-\udfff]/.test(text.slice(at))) ||
  text.slice(at - 1, at + 1) === "\r\n"

describe("the change from one text to another", () => {
  it.prop(
    "makes the one of the other, and cuts no character and no line end",
    [Text, Text, Text, Text],
    ([head, left, right, tail]) => {
      const before = [...head, ...left, ...tail].join("")
      const after = [...head, ...right, ...tail].join("")
      assert.strictEqual(applied(before, after), after)
      const change = changeBetween(before, after)
      if (change === undefined) return assert.strictEqual(before, after)
      const { from, insert, to } = change
      for (const at of [from, to]) assert.isFalse(cuts(before, at))
      for (const at of [from, from + insert.length]) assert.isFalse(cuts(after, at))
    }
  )

  it("is the smallest one", () => {
    assert.deepStrictEqual(changeBetween("one two three", "one 2 three"), { from: 4, to: 7, insert: "2" })
    assert.deepStrictEqual(changeBetween("aaa", "aaaa"), { from: 3, to: 3, insert: "a" })
    assert.deepStrictEqual(changeBetween("a\r\nb", "a\nb"), { from: 1, to: 3, insert: "\n" })
    assert.deepStrictEqual(changeBetween("😀", "😁"), { from: 0, to: 2, insert: "😁" })
    assert.isUndefined(changeBetween("same\n", "same\n"))
  })
})

describe("several changes of one text", () => {
  const textOf = (from: number, to: number) => "one two three".slice(from, to)

  it("are put in order, each as small as it can be, without those that change nothing", () => {
    const changes = [
      { from: 8, to: 13, insert: "three!" },
      { from: 0, to: 3, insert: "one" },
      { from: 4, to: 7, insert: "too" }
    ]
    assert.deepStrictEqual(inOrder(changes, textOf), [
      { from: 5, to: 6, insert: "o" },
      { from: 13, to: 13, insert: "!" }
    ])
  })

  it("are none where two of them overlap, or one ends before it begins", () => {
    for (const changes of [
      [
        { from: 0, to: 5, insert: "" },
        { from: 4, to: 7, insert: "" }
      ],
      [{ from: 5, to: 4, insert: "" }]
    ])
      assert.isUndefined(inOrder(changes, textOf))
  })
})
