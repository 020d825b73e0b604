import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as LineSplitter from "../src/LineSplitter.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const readAll = (splitter: LineSplitter.LineSplitter, chunks: Iterable<Uint8Array>) => {
  const lines: Array<string> = []
  for (const chunk of chunks) lines.push(...splitter.push(chunk))
  lines.push(...splitter.end())
  return lines
}

/** Cuts bytes after each of the sizes, which repeat. */
const cut = function* (whole: Uint8Array, sizes: ReadonlyArray<number>) {
  let at = 0
  for (let i = 0; at < whole.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1)
    yield whole.subarray(at, at + size)
    at += size
  }
}

const sizes = Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))), {
  minLength: 1
})
const line = Arbitrary.map(Arbitrary.schema(Schema.String), (text) =>
  `é🚦${text}`.replace(/[\r\n]/g, "␤").toWellFormed()
)

describe("LineSplitter", () => {
  it.prop(
    "[2][3] lines come out as they went in, wherever the chunks are cut",
    { lines: Arbitrary.array(line), sizes },
    (given) => {
      const chunks = cut(bytes(given.lines.map((text) => `${text}\n`).join("")), given.sizes)
      assert.deepStrictEqual(readAll(LineSplitter.make(), chunks), given.lines)
    }
  )

  it.prop("[4] CRLF and blank lines make no difference", { lines: Arbitrary.array(line), sizes }, (given) => {
    const chunks = cut(bytes(given.lines.map((text) => `\r\n\n${text}\r\n`).join("")), given.sizes)
    assert.deepStrictEqual(readAll(LineSplitter.make(), chunks), given.lines)
  })

  it.prop(
    "lines are found in texts of many as they are split",
    { lines: Arbitrary.array(line), sizes },
    ({ lines, sizes }) => {
      const whole = bytes(lines.map((text) => `${text}\r\n\n${text}\n\r\n`).join(""))
      const splitter = LineSplitter.make()
      const found = Array.from(cut(whole, sizes), (chunk) => splitter.pushTexts(chunk)).flatMap((texts) =>
        texts.flatMap((text) => {
          const each: Array<string> = []
          LineSplitter.eachLine(text, (from, to) => each.push(text.slice(from, to)))
          return each
        })
      )
      assert.deepStrictEqual(found, readAll(LineSplitter.make(), cut(whole, sizes)))
    }
  )

  it.prop("an oversized line costs exactly itself", { lines: Arbitrary.array(line), sizes, big: sizes }, (given) => {
    const limit = 1 + Math.max(0, ...given.lines.map((text) => bytes(text).length))
    const big = "B".repeat(limit + (given.big[0] ?? 1))
    const heads: Array<string> = []
    const ends: Array<string> = []
    const splitter = LineSplitter.make({
      maxLineBytes: limit,
      onOversized: (head) => heads.push(head),
      onSkipped: (head, tail) => ends.push(`${head}…${tail}`)
    })
    const last = big.slice(2 - LineSplitter.headBytes)
    const text = given.lines.map((each) => `${big}>\n${each}\n`).join("")
    assert.deepStrictEqual(readAll(splitter, cut(bytes(text), given.sizes)), given.lines)
    assert.strictEqual(heads.length, given.lines.length)
    assert.isTrue(heads.every((head) => `${big}>`.startsWith(head) && head.length > 0))
    assert.isTrue(ends.every((each, at) => each.startsWith(`${heads[at]}…`) && each.endsWith(`${last}>`)))
    assert.strictEqual(ends.length, heads.length)
  })

  it("a chunk whose lines are short but many is no oversized line", () => {
    const splitter = LineSplitter.make({ maxLineBytes: 4, onOversized: () => assert.fail("nothing is oversized") })
    assert.deepStrictEqual(splitter.push(bytes("abcd\nefgh\nij\nk")), ["abcd", "efgh", "ij"])
    assert.deepStrictEqual(splitter.end(), ["k"])
  })

  it("an oversized line is not kept while it is skipped", () => {
    const heads: Array<string> = []
    const splitter = LineSplitter.make({ maxLineBytes: 1000, onOversized: (head) => heads.push(head) })
    const chunk = bytes("x".repeat(600))
    assert.deepStrictEqual(splitter.push(chunk), [])
    assert.deepStrictEqual(heads, [])
    assert.deepStrictEqual(splitter.push(chunk), [])
    assert.strictEqual(heads.length, 1, "reported when the limit is passed, not when the line ends")
    for (let i = 0; i < 100; i++) assert.deepStrictEqual(splitter.push(chunk), [])
    assert.deepStrictEqual(splitter.push(bytes("x\nafter\n")), ["after"])
    assert.strictEqual(heads.length, 1)
  })

  it("a buffer that its reader fills again does not change a line carried over", () => {
    const splitter = LineSplitter.make()
    const buffer = bytes("abc")
    assert.deepStrictEqual(splitter.push(buffer), [])
    buffer.fill(0x7a)
    assert.deepStrictEqual(splitter.push(bytes("d\n")), ["abcd"])
  })

  it("a line as long as the limit passes, one byte more does not", () => {
    const splitter = LineSplitter.make({ maxLineBytes: 4 })
    assert.deepStrictEqual(splitter.push(bytes("1234\n12345\n1234\n")), ["1234", "1234"])
  })
})
