import { assert, describe, it } from "@effect/vitest"
import { placeBehind } from "../src/browser/linkToken.ts"

describe("a link with a token", () => {
  it("may name a place of the page", () => {
    assert.strictEqual(placeBehind(`#token=abc&then=${encodeURIComponent("#/threads/a%20b")}`), "#/threads/a%20b")
  })

  it("names no place by anything else", () => {
    for (const then of ["https://elsewhere.test", "javascript:alert(1)", "#token=x", "/agents", ""])
      assert.strictEqual(placeBehind(`#token=abc&then=${encodeURIComponent(then)}`), undefined, then)
    assert.strictEqual(placeBehind("#token=abc"), undefined)
    assert.strictEqual(placeBehind("#/agents?then=#/rules"), undefined)
  })
})
