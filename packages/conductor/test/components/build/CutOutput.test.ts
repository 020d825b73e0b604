import { assert, describe, it } from "@effect/vitest"
import * as CutOutput from "../../../src/components/build/CutOutput.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** Cuts a text that comes in pieces of this size, and returns what is kept. */
const cut = (text: string, piece: number): CutOutput.CutText => {
  const output = CutOutput.make()
  const all = bytes(text)
  for (let at = 0; at < all.length; at += piece) output.push(all.subarray(at, at + piece))
  return output.read()
}

const most = 32 * 1024

describe("Output of a command", () => {
  it("is whole up to the bound, however it comes", () => {
    for (const text of ["", "a", "ü\n", "x".repeat(most), "€".repeat(most / 4)])
      for (const piece of [1, 7, 4096, most])
        assert.deepStrictEqual(cut(text, piece), { text, omittedBytes: 0 }, `${text.length} by ${piece}`)
  })

  it("keeps whole lines of its beginning and its end, however it comes", () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `zeile ü ${at}\n`).join("")
    const expected = cut(text, most)
    for (const piece of [1, 4095, 16_384, 16_385, 100_000, 1_000_000])
      assert.deepStrictEqual(cut(text, piece), expected)
    assert.match(expected.text, /^zeile ü 0\n/)
    assert.match(expected.text, /\nzeile ü \d+\n\[… [\d,]+ bytes are left out here …\]\nzeile ü \d+\n/)
    assert.match(expected.text, /\nzeile ü 19999\n$/)
    const kept = bytes(expected.text.replace(/\[… .* …\]\n/, "")).length
    assert.strictEqual(kept + expected.omittedBytes, bytes(text).length)
  })

  it("that is one endless line is cut between characters", () => {
    for (const shift of ["", "a", "ab", "abc"]) {
      const { omittedBytes, text } = cut(`${shift}${"😀".repeat(100_000)}`, 1000)
      assert.notInclude(text, "\ufffd")
      const kept = bytes(text.replace(/\n\[… .* …\]\n/, "")).length
      assert.strictEqual(kept + omittedBytes, shift.length + 400_000)
    }
  })

  it("that is not UTF-8 is shown as far as it goes", () => {
    const output = CutOutput.make()
    output.push(new Uint8Array(100_000).fill(0x80))
    const { omittedBytes, text } = output.read()
    assert.isAtMost(omittedBytes, 100_000)
    assert.include(text, "bytes are left out here")
  })
})
