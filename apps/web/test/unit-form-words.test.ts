/** What was typed into a form, as it is sent and as it is shown. */
import type { FormField } from "@signalbox/contracts/Elicitation"
import { assert, describe, it } from "vitest"
import { contentOf, ruleOf, typedOf, valueWords } from "../src/words/formWords.ts"

const number = { type: "number", name: "n", required: false, integer: true } as const
const fields: ReadonlyArray<FormField> = [
  number,
  { type: "text", name: "t", required: false },
  { type: "boolean", name: "b", required: false }
]

describe("what was typed", () => {
  it("becomes numbers where numbers are asked for, and stays as it is where it is none", () => {
    assert.deepStrictEqual(contentOf(fields, { n: " 12 ", t: "12", b: false }), { n: 12, t: "12", b: false })
    assert.deepStrictEqual(contentOf(fields, { n: "1e2" }), { n: 100 })
    assert.deepStrictEqual(contentOf(fields, { n: "twelve" }), { n: "twelve" })
    assert.deepStrictEqual(contentOf(fields, { n: " " }), { n: " " })
  })

  it("leaves out what is empty, and what is in no field", () => {
    assert.deepStrictEqual(contentOf(fields, { n: "", t: "", other: "x" }), {})
  })

  it("begins as what there is, numbers as text", () => {
    assert.deepStrictEqual(typedOf(fields, { n: 0.5, b: true }), { n: "0.5", b: true })
  })
})

describe("a field in words", () => {
  it("says what it takes", () => {
    assert.strictEqual(ruleOf({ ...number, minimum: 1, maximum: 5 }), "a whole number, 1 to 5")
    assert.strictEqual(ruleOf(number), "a whole number")
    assert.isUndefined(ruleOf({ ...number, integer: false }))
    assert.strictEqual(ruleOf({ ...number, integer: false, minimum: 0 }), "at least 0")
    assert.strictEqual(ruleOf({ type: "text", name: "t", required: true, maxLength: 9 }), "at most 9 characters")
  })

  it("shows options by their labels", () => {
    const options = [{ value: "eu", label: "Europe" }]
    assert.strictEqual(valueWords({ type: "choice", name: "c", required: true, options }, "eu"), "Europe")
    assert.strictEqual(valueWords({ type: "choices", name: "c", required: true, options }, ["eu", "x"]), "Europe, x")
    assert.strictEqual(valueWords({ type: "boolean", name: "b", required: true }, false), "No")
    assert.isUndefined(valueWords(number, undefined))
  })
})
