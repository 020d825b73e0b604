import { assert, describe, it } from "@effect/vitest"
import { areEqual } from "../src/editor/EqualTexts.ts"

describe("two texts", () => {
  it("are equal where only line ends differ, as in a file that has several kinds", () => {
    assert.isTrue(areEqual("one\r\ntwo\nthree\r", "one\ntwo\nthree\n"))
    assert.isFalse(areEqual("one\n", "one"))
  })
})
