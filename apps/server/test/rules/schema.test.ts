import { assert, describe, it } from "@effect/vitest"
import { RulesDocument } from "@signalbox/permission/rules/Rule"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { inRepository } from "../../src/base/Installation.ts"

describe("a rules file", () => {
  it("is described by the schema in docs", () => {
    const { schema } = Schema.toJsonSchemaDocument(RulesDocument, { onExcessProperty: "error" })
    const expected = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }
    const written: unknown = JSON.parse(readFileSync(inRepository("docs", "rules.schema.json"), "utf8"))
    assert.deepStrictEqual(written, JSON.parse(JSON.stringify(expected)), "npm run schemas writes it")
  })
})
