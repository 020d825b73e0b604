import { assert, describe, it } from "@effect/vitest"
import * as Seal from "../src/Seal.ts"

describe("a seal", () => {
  it("takes each of its marks once, in any order, and no other", () => {
    const seal = Seal.make()
    const marks = Array.from({ length: 50 }, seal.mark)
    for (const mark of marks.toReversed()) assert.isTrue(seal.takes(mark))
    for (const mark of marks) assert.isFalse(seal.takes(mark))
    assert.isTrue(seal.takes({ ...seal.mark(), other: 1 }))
    assert.isFalse(seal.takes(Seal.make().mark()))
    for (const odd of [
      undefined,
      null,
      {},
      { "signalbox/seal": true },
      { "signalbox/seal": "52.x" },
      { "signalbox/seal": "" }
    ])
      assert.isFalse(seal.takes(odd))
    const [[name, text] = ["", ""]] = Object.entries(seal.mark())
    assert.isFalse(seal.takes({ [name]: `0${String(text)}` }))
    assert.isFalse(seal.takes({ [name]: `${String(text)}x` }))
    assert.isTrue(seal.takes({ [name]: text }))
  })

  it("gives up the oldest marks that never came, and stays small", () => {
    const seal = Seal.make()
    const first = seal.mark()
    const others = Array.from({ length: 5000 }, seal.mark)
    for (const mark of others) assert.isTrue(seal.takes(mark))
    for (const mark of others) assert.isFalse(seal.takes(mark))
    assert.isFalse(seal.takes(first))
  })

  it("of the same key takes the marks of another, as a replay does", () => {
    const recorded = Seal.make()
    const mark = recorded.mark()
    assert.isTrue(recorded.takes(mark))
    assert.isTrue(Seal.make(recorded.key).takes(mark))
  })
})
