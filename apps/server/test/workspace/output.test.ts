/** What is kept of what a program prints. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as OutputBuffer from "@signalbox/process/OutputBuffer"

const bytes = (text: string) => new TextEncoder().encode(text)

const printed = (limit: number, ...texts: ReadonlyArray<string>) => {
  const buffer = OutputBuffer.make(limit)
  for (const text of texts) buffer.push(bytes(text))
  return buffer
}

describe("output", () => {
  it("[97] beyond its limit it loses its beginning, at the boundary of a character", () => {
    assert.deepStrictEqual(printed(8, "abc", "def").last(8, true), { text: "abcdef", truncated: false })
    assert.deepStrictEqual(printed(4, "abc", "def").last(4, true), { text: "cdef", truncated: true })
    // "ü€" is 2 + 3 bytes: of four bytes only the last three are characters.
    assert.deepStrictEqual(printed(4, "ü€").last(4, true), { text: "€", truncated: true })
    assert.deepStrictEqual(printed(2, "€").last(2, true), { text: "", truncated: true })
    assert.deepStrictEqual(printed(0, "x").last(0, true), { text: "", truncated: true })
    assert.deepStrictEqual(printed(0).last(0, true), { text: "", truncated: false })
  })

  it("[97] of a character that is still coming nothing is shown, unless nothing more will come", () => {
    const buffer = OutputBuffer.make(64)
    buffer.push(bytes("a€").subarray(0, 3))
    assert.strictEqual(buffer.last(64, false).text, "a")
    assert.strictEqual(buffer.last(64, true).text, "a\ufffd")
    buffer.push(bytes("€").subarray(2))
    assert.strictEqual(buffer.last(64, false).text, "a€")
  })

  it("is replaced as a whole by what another terminal says, within the same limit", () => {
    const buffer = printed(8, "abc")
    buffer.become("hello", false)
    assert.deepStrictEqual(buffer.last(8, true), { text: "hello", truncated: false })
    buffer.become("hello", true)
    assert.deepStrictEqual(buffer.last(8, true), { text: "hello", truncated: true })
    buffer.become("hello, world", false)
    assert.deepStrictEqual(buffer.last(8, true), { text: "o, world", truncated: true })
  })

  const Pieces = Schema.Array(Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))))
  const Limit = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))

  it.prop(
    "[97] never more bytes than asked for, whatever bytes come; cut exactly when something is missing",
    { pieces: Pieces, limit: Limit },
    ({ limit, pieces }) => {
      const buffer = OutputBuffer.make(limit)
      for (const piece of pieces) buffer.push(Uint8Array.from(piece))
      const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(pieces.flat()))
      const { text, truncated } = buffer.last(limit, true)
      assert.isAtMost(bytes(text).length, limit)
      if (!truncated) assert.strictEqual(text, whole)
      else assert.isAbove(bytes(whole).length, limit - 3)
    },
    { arbitrary: { runs: 500, size: 60 } }
  )

  it.prop(
    "[97] of well-formed text it keeps the longest end that fits",
    { text: Schema.String, limit: Limit },
    ({ limit, text }) => {
      const sane = text.toWellFormed()
      const kept = printed(limit, sane).last(limit, true).text
      assert.isTrue(sane.endsWith(kept))
      const before = Array.from(sane.slice(0, sane.length - kept.length)).at(-1)
      if (before !== undefined) assert.isAbove(bytes(before + kept).length, limit)
    },
    { arbitrary: { runs: 500, size: 60 } }
  )
})
