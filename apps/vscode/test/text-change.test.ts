import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as TextChange from "../src/services/TextChange.ts"

const applied = (before: string, after: string): string => {
  const change = TextChange.between(before, after)
  return change === undefined ? before : before.slice(0, change.start) + change.text + before.slice(change.end)
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
      const change = TextChange.between(before, after)
      if (change === undefined) return assert.strictEqual(before, after)
      const { end, start, text } = change
      for (const at of [start, end]) assert.isFalse(cuts(before, at))
      for (const at of [start, start + text.length]) assert.isFalse(cuts(after, at))
    }
  )

  it("is the smallest one", () => {
    assert.deepStrictEqual(TextChange.between("one two three", "one 2 three"), { start: 4, end: 7, text: "2" })
    assert.deepStrictEqual(TextChange.between("aaa", "aaaa"), { start: 3, end: 3, text: "a" })
    assert.deepStrictEqual(TextChange.between("a\r\nb", "a\nb"), { start: 1, end: 3, text: "\n" })
    assert.deepStrictEqual(TextChange.between("😀", "😁"), { start: 0, end: 2, text: "😁" })
    assert.isUndefined(TextChange.between("same\n", "same\n"))
  })
})
