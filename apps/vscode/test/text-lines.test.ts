import { assert, describe, it } from "@effect/vitest"
import { lineEndOf, linesOf, withLineEnd } from "../src/services/TextLines.ts"

describe("lines of a text", () => {
  it("are counted from 1, and keep their ends", () => {
    const text = "one\r\ntwo\nthree"
    assert.strictEqual(linesOf(text, {}), text)
    assert.strictEqual(linesOf(text, { line: 2 }), "two\nthree")
    assert.strictEqual(linesOf(text, { limit: 1 }), "one\r\n")
    assert.strictEqual(linesOf(text, { line: 2, limit: 1 }), "two\n")
    assert.strictEqual(linesOf(text, { line: 3, limit: 9 }), "three")
    assert.strictEqual(linesOf(text, { line: 0, limit: 1 }), "one\r\n")
  })

  it("are none beyond the last, and none if none are wanted", () => {
    assert.strictEqual(linesOf("one\n", { line: 2 }), "")
    assert.strictEqual(linesOf("one\n", { line: 7, limit: 1 }), "")
    assert.strictEqual(linesOf("one\n", { limit: 0 }), "")
  })

  it("end in one way, or in none that a text has as a whole", () => {
    assert.strictEqual(lineEndOf("a\nb\n"), "\n")
    assert.strictEqual(lineEndOf("a\r\nb\r\n"), "\r\n")
    assert.isUndefined(lineEndOf("a\r\nb\n"))
    assert.isUndefined(lineEndOf("a"))
    assert.strictEqual(withLineEnd("a\r\nb\rc\n", "\n"), "a\nb\nc\n")
    assert.strictEqual(withLineEnd("a\r\nb\n", "\r\n"), "a\r\nb\r\n")
  })
})
