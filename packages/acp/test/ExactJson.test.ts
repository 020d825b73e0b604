import { assert, describe, it } from "@effect/vitest"
import * as ExactJson from "../src/ExactJson.ts"
import * as McpOverAcp from "../src/McpOverAcp.ts"

const again = (text: string) => JSON.stringify(ExactJson.parse(text))

describe("JSON that is read exactly", () => {
  it.each([
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "0.12345678901234567890123",
    "1e400",
    '{"a":[1,{"b":9223372036854775807}],"c":"9223372036854775807"}'
  ])("keeps the digits of %s", (text) => assert.strictEqual(again(text), text))

  it.each([
    ["0.1", 0.1],
    ["-1.50", -1.5],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["1e21", 1e21],
    ["0.1234567890123456", 0.1234567890123456],
    ["1763914000000", 1_763_914_000_000]
  ] as const)("reads %s as a number", (text, value) => assert.strictEqual(ExactJson.parse(text), value))

  it("takes a number that it keeps as text for no object", () => {
    const large = ExactJson.parse("9007199254740993")
    assert.isTrue(ExactJson.isRawNumber(large))
    assert.isFalse(McpOverAcp.isJsonObject(large))
    assert.isFalse(ExactJson.isRawNumber({ rawJSON: "1" }))
  })

  it("throws for a text that is none, and reads one of any depth", () => {
    assert.throws(() => ExactJson.parse("9007199254740993,"), SyntaxError)
    const depth = 200_000
    const deep = `${"[".repeat(depth)}9007199254740993${"]".repeat(depth)}`
    let value = ExactJson.parse(deep)
    let levels = 0
    while (Array.isArray(value)) {
      levels += 1
      value = value[0]
    }
    assert.strictEqual(levels, depth)
  })
})
