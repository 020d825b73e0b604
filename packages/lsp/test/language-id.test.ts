import { assert, describe, it } from "@effect/vitest"
import * as LanguageId from "../src/LanguageId.ts"

describe("the language of a file", () => {
  it("is told by its name, then by its extension", () => {
    const named = ["/a/go.mod", "/a/tsconfig.json", "/a/x.JSON", "/a/x.d.ts", "/a/Makefile"].map(LanguageId.ofPath)
    assert.deepStrictEqual(named, ["go.mod", "jsonc", "json", "typescript", "makefile"])
  })

  it("is plain text for any other name, also one that every object has", () => {
    for (const name of ["/a/notes", "/a/constructor", "/a/__proto__", "/a/x.constructor"])
      assert.strictEqual(LanguageId.ofPath(name), "plaintext", name)
  })
})
