import { assert, describe, it } from "@effect/vitest"
import * as Caret from "../src/suggestions/Caret.ts"

const at = (line: number, character: number) => ({ line, character })
const change = (start: ReturnType<typeof at>, end: ReturnType<typeof at>, text: string) => ({
  range: { start, end },
  text
})

describe("the caret that a change leaves", () => {
  it("is behind what was typed, and where something was deleted", () => {
    assert.deepStrictEqual(Caret.after(at(1, 2), [change(at(1, 2), at(1, 2), "ab")]), at(1, 4))
    assert.deepStrictEqual(Caret.after(at(1, 2), [change(at(1, 2), at(1, 2), "a\r\n  ")]), at(2, 2))
    assert.deepStrictEqual(Caret.after(at(1, 2), [change(at(1, 1), at(1, 2), "")]), at(1, 1))
    assert.deepStrictEqual(Caret.after(at(1, 2), [change(at(1, 2), at(2, 0), "")]), at(1, 2))
  })

  it("is not known after a change elsewhere, or after several", () => {
    assert.isUndefined(Caret.after(at(1, 2), [change(at(1, 3), at(1, 4), "")]))
    assert.isUndefined(Caret.after(at(1, 2), [change(at(0, 0), at(1, 1), "")]))
    assert.isUndefined(Caret.after(at(1, 2), [change(at(1, 2), at(1, 2), "a"), change(at(0, 2), at(0, 2), "a")]))
  })
})
