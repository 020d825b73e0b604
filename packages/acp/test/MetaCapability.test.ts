import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Acp from "../src/AcpSchema.ts"
import * as MetaCapability from "../src/MetaCapability.ts"

const ide = "ide_operations"
const symposium = (entries: { readonly [key: string]: unknown }) => ({ _meta: { symposium: entries } })

const read: ReadonlyArray<
  readonly [name: string, capabilities: MetaCapability.Capabilities | null | undefined, has: boolean]
> = [
  ["no capabilities", undefined, false],
  ["null", null, false],
  ["no _meta", {}, false],
  ["_meta of null", { _meta: null }, false],
  ["no symposium", { _meta: { other: true } }, false],
  ["symposium that is a text", { _meta: { symposium: ide } }, false],
  ["symposium that is a list", { _meta: { symposium: [ide] } }, false],
  ["the version only", symposium({ version: "1.0" }), false],
  ["true", symposium({ version: "1.0", [ide]: true }), true],
  ["false", symposium({ [ide]: false }), false],
  ["null as its value", symposium({ [ide]: null }), false],
  ["an object", symposium({ [ide]: {} }), true],
  ["zero", symposium({ [ide]: 0 }), true],
  ["an empty text", symposium({ [ide]: "" }), true]
]

describe("A capability in _meta.symposium", () => {
  for (const [name, capabilities, has] of read) {
    it(`is ${has ? "" : "not "}there: ${name}`, () => {
      assert.strictEqual(MetaCapability.has(capabilities, ide), has)
    })
  }

  const added: ReadonlyArray<readonly [name: string, before: MetaCapability.Capabilities, after: unknown]> = [
    ["to nothing", {}, symposium({ [ide]: true, version: "1.0" })],
    ["to _meta of null", { _meta: null }, symposium({ [ide]: true, version: "1.0" })],
    [
      "beside others",
      { _meta: { other: { a: null }, symposium: { version: "1.0", proxy: true } } },
      { _meta: { other: { a: null }, symposium: { version: "1.0", proxy: true, [ide]: true } } }
    ],
    ["instead of false", symposium({ [ide]: false, version: "1.0" }), symposium({ [ide]: true, version: "1.0" })],
    ["to symposium without a version", symposium({ a: 1 }), symposium({ a: 1, [ide]: true, version: "1.0" })],
    [
      "instead of a malformed symposium",
      { _meta: { symposium: 7, b: 2 } },
      { _meta: { symposium: { [ide]: true, version: "1.0" }, b: 2 } }
    ]
  ]
  for (const [name, before, after] of added) {
    it(`is added ${name}`, () => {
      const copy = structuredClone(before)
      assert.deepStrictEqual(MetaCapability.add(before, ide), after)
      assert.deepStrictEqual(before, copy, "what came is unchanged")
    })
  }

  it("keeps the type of what it is added to, and all its fields", () => {
    const capabilities: Acp.ClientCapabilities = { terminal: true, fs: { readTextFile: true } }
    const more: Acp.ClientCapabilities = MetaCapability.add(capabilities, ide, { version: 2 })
    assert.deepStrictEqual(more, { ...capabilities, ...symposium({ [ide]: { version: 2 }, version: "1.0" }) })
    assert.deepStrictEqual(MetaCapability.valueOf(more, ide), { version: 2 })
  })

  it("is removed, and everything else stays", () => {
    const before = { terminal: true, _meta: { x: [], symposium: { version: "1.0", [ide]: {}, proxy: true } } }
    assert.deepStrictEqual<unknown>(MetaCapability.remove(before, ide), {
      terminal: true,
      _meta: { x: [], symposium: { version: "1.0", proxy: true } }
    })
    const without = symposium({ version: "1.0" })
    assert.strictEqual(MetaCapability.remove(without, ide), without, "nothing to remove, nothing copied")
    assert.deepStrictEqual(MetaCapability.remove({ _meta: null }, ide), { _meta: null })
  })

  it("may have a name that means something to JavaScript", () => {
    for (const key of ["__proto__", "constructor", "toString"]) {
      const added = MetaCapability.add({}, key)
      assert.isFalse(MetaCapability.has(symposium({ version: "1.0" }), key))
      assert.isTrue(MetaCapability.has(JSON.parse(JSON.stringify(added)), key))
      assert.isFalse(MetaCapability.has(MetaCapability.remove(added, key), key))
    }
  })

  const keys = Arbitrary.schema(Schema.String.check(Schema.makeFilter((key: string) => key !== "version")))
  it.effect.prop(
    "is there once it is added, under any name, and gone once it is removed",
    { key: keys, others: Arbitrary.schema(Schema.Record(Schema.String, Schema.Json)) },
    ({ key, others }) =>
      Effect.sync(() => {
        const before = { _meta: { symposium: { ...others, version: "1.0" } } }
        const added = MetaCapability.add(before, key)
        assert.isTrue(MetaCapability.has(added, key))
        const removed = MetaCapability.remove(added, key)
        assert.isFalse(MetaCapability.has(removed, key))
        assert.deepEqual(removed, MetaCapability.remove(before, key))
      })
  )
})
