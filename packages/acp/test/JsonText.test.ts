import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as JsonText from "../src/internal/raw/JsonText.ts"
import * as JsonTexts from "./JsonTexts.ts"

/** What `JSON.parse` makes of a text; `undefined` if it refuses it, or if the text is no object. */
const parsed = (text: string): { readonly [name: string]: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The members as `JSON.parse` reads each of them. */
const read = (text: string): { readonly [name: string]: unknown } | undefined => {
  const members = JsonText.members(text)
  return members && Object.fromEntries(Array.from(members, ([name, value]) => [name, JSON.parse(value)]))
}

/** A text that one character was put into, or one was taken out of, or exchanged in. */
const damaged = Arbitrary.map(
  Arbitrary.all([
    JsonTexts.params,
    Arbitrary.schema(Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))),
    Arbitrary.schema(Schema.Literals([0, 1])),
    Arbitrary.schema(
      Schema.Literals([
        "",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "u",
        "0",
        "-",
        ".",
        "e",
        "\n",
        "\u0001",
        " ",
        "t",
        "\u2028"
      ])
    )
  ] as const),
  ([text, place, removed, added]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + added + text.slice(at + removed)
  }
)

describe("The members of a JSON text", () => {
  it.prop("are those that JSON.parse finds", [JsonTexts.params], ([text]) => {
    assert.deepStrictEqual(read(text), parsed(text))
  })

  it.prop(
    "are none where JSON.parse refuses the text",
    [damaged],
    ([text]) => {
      assert.deepStrictEqual(read(text), parsed(text))
    },
    { arbitrary: { runs: 5_000 } }
  )

  it.each([
    "",
    " ",
    "{",
    "{}x",
    " {} ",
    "\ufeff{}",
    "{\u00a0}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":{"b":1,}}',
    '{"a":01}',
    '{"a":-}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1e}',
    '{"a":+1}',
    '{"a":0x1}',
    '{"a":NaN}',
    '{"a":tru}',
    '{"a":truex}',
    '{"a":"\t"}',
    String.raw`{"a":"\x"}`,
    String.raw`{"a":"\u12g4"}`,
    String.raw`{"a":"\u12`,
    '{"a":"',
    String.raw`{"a":"\"}`,
    '{"a":[}',
    '{"a":{]}',
    '{"a":1}}',
    '{"__proto__":1,"a":2,"a":3}'
  ])("are read from %j as JSON.parse reads it", (text) => {
    assert.deepStrictEqual(read(text), parsed(text))
  })

  it("are found below lists that fill no stack", () => {
    const deep = `{"a":${"[".repeat(300_000)}${"]".repeat(300_000)}}`
    assert.strictEqual(JsonText.members(deep)?.get("a")?.length, 600_000)
    assert.isUndefined(JsonText.members(deep.slice(0, -2)))
  })
})
