/** What forms take, and what is said of addresses. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  addressFacts,
  faultsIn,
  FormField,
  type FormValue,
  initialContent,
  type PatternTest,
  refusalOf,
  type TextFormat
} from "../src/Elicitation.ts"

const options = [
  { value: "a", label: "First" },
  { value: "b", label: "Second" },
  { value: "c", label: "Third" }
]

const text = (rules: Partial<Extract<FormField, { readonly type: "text" }>> = {}): FormField => ({
  type: "text",
  name: "field",
  required: false,
  ...rules
})

/** What is said of one value. */
const fault = (field: FormField, value: FormValue): string | undefined =>
  faultsIn([field], { [field.name]: value }, matches)[0]?.message

const matches: PatternTest = (pattern, words) => (pattern === "(" ? undefined : new RegExp(pattern, "u").test(words))

describe("a form", () => {
  it("[104] wants what is required, and lets the rest stay empty", () => {
    const needed = text({ required: true })
    assert.deepStrictEqual(faultsIn([needed], {}, matches), [{ name: "field", message: "It is needed." }])
    assert.strictEqual(fault(needed, ""), "It is needed.")
    assert.isUndefined(fault(needed, "x"))
    assert.deepStrictEqual(faultsIn([text({ minLength: 3 })], {}, matches), [])
    assert.deepStrictEqual(faultsIn([{ type: "boolean", name: "b", required: true }], { b: false }, matches), [])
    assert.deepStrictEqual(
      faultsIn([{ type: "number", name: "n", required: true, integer: true }], { n: 0 }, matches),
      []
    )
    // Nothing chosen is a choice, unless some have to be.
    const many = { type: "choices", name: "m", required: true, options } as const
    assert.deepStrictEqual(faultsIn([many], { m: [] }, matches), [])
    assert.deepStrictEqual(faultsIn([many], {}, matches).length, 1)
    assert.deepStrictEqual(faultsIn([{ ...many, minItems: 1 }], { m: [] }, matches).length, 1)
  })

  it("[104] checks texts by their length in characters, by pattern and by form", () => {
    assert.isUndefined(fault(text({ maxLength: 2 }), "😀😀"))
    assert.isDefined(fault(text({ maxLength: 2 }), "abc"))
    assert.isDefined(fault(text({ minLength: 2 }), "😀"))
    assert.isUndefined(fault(text({ pattern: "^[a-z]+$" }), "abc"))
    assert.isDefined(fault(text({ pattern: "^[a-z]+$" }), "ABC"))
    // What is no pattern asks for nothing.
    assert.isUndefined(fault(text({ pattern: "(" }), "abc"))
    const formats: ReadonlyArray<readonly [TextFormat, ReadonlyArray<string>, ReadonlyArray<string>]> = [
      ["email", ["me@example.com"], ["me", "a b@c"]],
      ["uri", ["https://example.com/x", "mailto:x@y"], ["example", "//x"]],
      ["date", ["2024-02-29"], ["2023-02-29", "2024-13-01", "yesterday", "2024-2-9"]],
      ["date-time", ["2024-02-29T10:00:00Z", "2024-02-29T10:00:00.5+02:00"], ["2024-02-29", "2023-02-29T10:00:00Z"]]
    ]
    for (const [format, good, bad] of formats) {
      for (const value of good) assert.isUndefined(fault(text({ format }), value), value)
      for (const value of bad) assert.isDefined(fault(text({ format }), value), value)
    }
  })

  it("[104] checks numbers, choices and yes or no", () => {
    const number = { type: "number", name: "n", required: false, integer: true, minimum: 1, maximum: 3 } as const
    assert.isUndefined(fault(number, 3))
    for (const value of [0, 4, 1.5, Number.NaN, "2"]) assert.isDefined(fault(number, value), String(value))
    assert.isUndefined(fault({ ...number, integer: false }, 1.5))
    const choice = { type: "choice", name: "c", required: false, options } as const
    assert.isUndefined(fault(choice, "b"))
    for (const value of ["Second", "d", true]) assert.isDefined(fault(choice, value), String(value))
    const many = { type: "choices", name: "m", required: false, options, minItems: 2, maxItems: 2 } as const
    assert.isUndefined(fault(many, ["a", "c"]))
    for (const value of [["a"], ["a", "b", "c"], ["a", "a"], ["a", "d"], "a"]) assert.isDefined(fault(many, value))
    assert.isDefined(fault({ type: "boolean", name: "b", required: false }, "yes"))
  })

  it("[104] takes nothing that was not asked for, and no field is hidden by its name", () => {
    assert.deepStrictEqual(faultsIn([], { x: "1" }, matches), [{ name: "x", message: "This was not asked for." }])
    const fields = [text({ name: "constructor", required: true })]
    assert.strictEqual(faultsIn(fields, {}, matches).length, 1)
    assert.strictEqual(faultsIn(fields, { constructor: "x" }, matches).length, 0)
    assert.strictEqual(
      refusalOf([text({ label: "Your name", required: true })], {}, matches),
      "“Your name”: It is needed."
    )
  })

  it("[104] begins with the defaults, but for those that would not be taken", () => {
    assert.deepStrictEqual(
      initialContent([
        text({ name: "good", initial: "x" }),
        text({ name: "long", initial: "too long", maxLength: 3 }),
        { type: "choice", name: "none", required: true, options, initial: "z" },
        { type: "boolean", name: "no", required: true, initial: false },
        { type: "number", name: "zero", required: true, integer: true, initial: 0 },
        text({ name: "empty" })
      ]),
      { good: "x", no: false, zero: 0 }
    )
  })

  const Value = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Array(Schema.String)])

  it.prop(
    "[104] whatever comes is either taken or refused in words; what was checked is of its field's type",
    { field: FormField, value: Value },
    ({ field, value }) => {
      const faults = faultsIn([field], { [field.name]: value }, () => undefined)
      if (faults.length > 0) return assert.isAbove(faults[0]?.message.length ?? 0, 0)
      const types = { text: "string", choice: "string", number: "number", boolean: "boolean", choices: "object" }
      if (value !== "" && !(Array.isArray(value) && value.length === 0))
        assert.strictEqual(typeof value, types[field.type])
    },
    { arbitrary: { runs: 300, size: 10 } }
  )
})

describe("an address", () => {
  it("[105] is one of http or https, and its host is what a browser asks for", () => {
    assert.deepStrictEqual(addressFacts("https://Example.com:8443/a?b#c"), { host: "example.com:8443", warnings: [] })
    for (const address of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "data:text/html,x",
      "example.com",
      "",
      "https://"
    ])
      assert.isUndefined(addressFacts(address), address)
  })

  it("[105] that looks like something else is warned of", () => {
    const warnings = (address: string) => addressFacts(address)?.warnings.join(" ") ?? "no address"
    assert.match(warnings("https://xn--80ak6aa92e.com/"), /other letters/)
    // The same name, written in the letters that it pretends to be.
    assert.match(warnings("https://аррӏе.com/"), /other letters/)
    assert.match(warnings("https://google.com@evil.example/"), /leads to evil\.example/)
    assert.match(warnings("https://192.0.2.1/"), /numbers/)
    assert.match(warnings("http://example.com/"), /not encrypted/)
    assert.strictEqual(warnings("http://localhost:3000/callback"), "")
    assert.strictEqual(warnings("http://127.0.0.1:3000/"), "")
  })
})
