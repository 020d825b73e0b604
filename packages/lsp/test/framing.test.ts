import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Framing from "../src/Framing.ts"
import type { FramingError } from "../src/FramingError.ts"
import { maxHeaderBytes } from "../src/Header.ts"
import * as Frames from "./support/Frames.ts"

const encoder = new TextEncoder()

/** Cuts bytes after each of the sizes, which repeat. Each chunk is a buffer that is overwritten afterwards. */
const readAll = (whole: Uint8Array, sizes: ReadonlyArray<number>, maxBodyBytes = 1 << 20) => {
  const unframer = Framing.unframer({ maxBodyBytes })
  const texts: Array<string> = []
  let error: FramingError | undefined
  for (let at = 0, i = 0; at < whole.length; i++) {
    const chunk = whole.slice(at, at + Math.max(1, sizes[i % sizes.length] ?? 1))
    at += chunk.length
    const read = unframer.push(chunk)
    chunk.fill(88)
    texts.push(...read.texts)
    error ??= read.error
  }
  return { texts, error: error ?? unframer.end() }
}

const sizes = Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))), {
  minLength: 1
})
const texts = Arbitrary.array(
  Arbitrary.map(Arbitrary.schema(Schema.String), (text) => `${text}é🚦\r\n\r\n`.toWellFormed())
)

const read = (text: string) => readAll(encoder.encode(text), [7])

describe("Framing", () => {
  it.prop("messages come out as they went in, wherever the bytes are cut", { texts, sizes }, (given) => {
    const found = readAll(Frames.frame(given.texts), given.sizes)
    assert.deepStrictEqual(found, { texts: given.texts, error: undefined })
  })

  it.prop("messages before a broken header are read, wherever the bytes are cut", { texts, sizes }, (given) => {
    const whole = new Uint8Array([...Frames.frame(given.texts), ...encoder.encode("Content-Length: -1\r\n\r\n{}")])
    const found = readAll(whole, given.sizes)
    assert.deepStrictEqual(found.texts, given.texts)
    assert.strictEqual(found.error?.reason, "LengthInvalid")
  })

  it.prop("an input that ends within a message is an error", { texts, sizes }, (given) => {
    const whole = Frames.frame([...given.texts, "{}"])
    const found = readAll(whole.subarray(0, whole.length - 1), given.sizes)
    assert.deepStrictEqual(found.texts, given.texts)
    assert.strictEqual(found.error?.reason, "Cut")
  })

  it.prop("lines become messages, wherever their bytes are cut", { texts, sizes }, (given) => {
    const lines = given.texts.map((text) => JSON.stringify(text))
    const whole = encoder.encode(lines.map((line) => `${line}\n`).join(""))
    const framer = Framing.framer()
    const framed: Array<Uint8Array> = []
    for (let at = 0, i = 0; at < whole.length; i++) {
      const chunk = whole.slice(at, at + Math.max(1, given.sizes[i % given.sizes.length] ?? 1))
      at += chunk.length
      framed.push(framer.push(chunk))
      chunk.fill(88)
    }
    assert.deepStrictEqual(readAll(Buffer.concat(framed), given.sizes), { texts: lines, error: undefined })
  })

  it("lengths count bytes, not characters", () => {
    const framed = Framing.framer().push(encoder.encode("é🚦\n"))
    assert.strictEqual(new TextDecoder().decode(framed), "Content-Length: 6\r\n\r\né🚦")
  })

  it("an empty body is a message", () => {
    assert.deepStrictEqual(readAll(Frames.frame(["", "a", ""]), [1000]).texts, ["", "a", ""])
  })

  it("other fields may stand beside the length, in any case of letters", () => {
    const types = ["application/vscode-jsonrpc; charset=utf-8", 'x; a=b; Charset="UTF8"', "application/json"]
    for (const type of types) {
      const { error, texts } = read(`Content-Type: ${type}\r\ncontent-LENGTH:2\r\nX-Other: a:b\r\n\r\n{}`)
      assert.deepStrictEqual({ error, texts }, { error: undefined, texts: ["{}"] })
    }
  })

  const broken: ReadonlyArray<readonly [string, FramingError["reason"]]> = [
    ["Content-Length: -2\r\n\r\n{}", "LengthInvalid"],
    ["Content-Length: +2\r\n\r\n{}", "LengthInvalid"],
    ["Content-Length: 2.0\r\n\r\n{}", "LengthInvalid"],
    ["Content-Length: 0x2\r\n\r\n{}", "LengthInvalid"],
    ["Content-Length: 2 2\r\n\r\n{}", "LengthInvalid"],
    ["Content-Length:\r\n\r\n{}", "LengthInvalid"],
    ["Content-Length: 9999999999999999\r\n\r\n{}", "LengthInvalid"],
    ["Content-Length: 1048577\r\n\r\n{}", "BodyTooLong"],
    ["Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "LengthRepeated"],
    ["Content-Type: a\r\n\r\n{}", "LengthMissing"],
    ["\r\n\r\n{}", "MalformedHeader"],
    ["Debugger attached.\nContent-Length: 2\r\n\r\n{}", "MalformedHeader"],
    ["{}\r\nContent-Length: 2\r\n\r\n{}", "MalformedHeader"],
    [" Content-Length: 2\r\n\r\n{}", "MalformedHeader"],
    ["Content-Length 2\r\n\r\n{}", "MalformedHeader"],
    ["Content-Length: 2\r\nContent-Type: a; charset=latin1\r\n\r\n{}", "CharsetUnknown"],
    ["Content-Length: 2\n\n{}", "Cut"],
    [`Content-Length: 2\r\nX: ${"x".repeat(maxHeaderBytes)}\r\n\r\n{}`, "HeaderTooLong"],
    ['{"jsonrpc":"2.0","method":"a"}\n'.repeat(200), "HeaderTooLong"]
  ]
  for (const [text, reason] of broken) {
    it(`${reason}: ${JSON.stringify(text.slice(0, 60))}`, () => {
      const found = read(text)
      assert.deepStrictEqual(found.texts, [])
      assert.strictEqual(found.error?.reason, reason)
      // What the other side wrote is quoted in part only.
      assert.isBelow(found.error?.message.length ?? 0, 200)
    })
  }

  it("a header of exactly the limit is read", () => {
    const fields = "Content-Length: 2\r\nX: "
    const header = `${fields}${"x".repeat(maxHeaderBytes - fields.length - 4)}\r\n\r\n`
    assert.strictEqual(header.length, maxHeaderBytes)
    assert.deepStrictEqual(read(`${header}{}`).texts, ["{}"])
  })

  it("nothing is read after an error", () => {
    const unframer = Framing.unframer({ maxBodyBytes: 10 })
    const first = unframer.push(encoder.encode("Content-Length: 11\r\n\r\n"))
    const second = unframer.push(Frames.frame(["{}"]))
    assert.deepStrictEqual(second, { texts: [], error: first.error })
    assert.strictEqual(unframer.end(), first.error)
  })

  it("a body that comes in single bytes costs what its bytes cost", () => {
    const text = "x".repeat(500_000)
    assert.deepStrictEqual(readAll(Frames.frame([text, "{}"]), [1]).texts, [text, "{}"])
  })
})
