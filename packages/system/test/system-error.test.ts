/** Errors of the system, for people and for callers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { attempt, codeOf, isMissing, messageOf, reasonOf } from "../src/SystemError.ts"

const coded = (code: unknown) => Object.assign(new Error("it said no"), { code })

describe("what the system refuses", () => {
  it.effect("fails with its words and its code", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(attempt(() => readFileSync(join(import.meta.dirname, "none"))))
      assert.strictEqual(refused._tag, "SystemRefused")
      assert.strictEqual(refused.code, "ENOENT")
      assert.include(refused.message, "no such file")
      const strange = yield* Effect.flip(
        attempt(() => {
          throw coded(7)
        })
      )
      assert.deepStrictEqual([strange.message, strange.code], ["it said no", undefined])
    })
  )

  it("is described in plain words, by its code, or in its own words", () => {
    assert.strictEqual(reasonOf(coded("EPERM")), "this user may not do that")
    assert.strictEqual(reasonOf(coded("EODD")), "EODD")
    assert.strictEqual(reasonOf(new Error("it said no")), "it said no")
    assert.strictEqual(reasonOf("no error"), "no error")
  })

  it("is missing where a part of the path is no folder, too", () => {
    assert.deepStrictEqual([coded("ENOENT"), coded("ENOTDIR"), coded("EACCES"), "ENOENT"].map(isMissing), [
      true,
      true,
      false,
      false
    ])
    assert.isUndefined(codeOf({ code: "ENOENT" }))
    assert.strictEqual(messageOf(undefined), "undefined")
  })
})
