import { assert, describe, it } from "@effect/vitest"
import { parseAnsi } from "../src/text/ansi.ts"
import { countLines, firstLines, lastLines, settleLines } from "@signalbox/contracts/OutputLines"
import { countWords } from "../src/transcript/output.ts"

const esc = "\u001b["

describe("what terminals print", () => {
  it("reads colours and weight", () => {
    assert.deepStrictEqual(parseAnsi(`a${esc}31mb${esc}1mc${esc}39md${esc}0me`), [
      { text: "a", style: {} },
      { text: "b", style: { colour: "red" } },
      { text: "c", style: { colour: "red", bold: true } },
      { text: "d", style: { bold: true } },
      { text: "e", style: {} }
    ])
  })

  it("reads over arguments of 256 and 16 million colours and over backgrounds", () => {
    for (const code of ["38;5;196", "38;2;255;0;31", "38:2::255:0:0", "48;5;31", "41", "5"])
      assert.deepStrictEqual(parseAnsi(`${esc}${code}mx`), [{ text: "x", style: {} }], code)
    assert.deepStrictEqual(parseAnsi(`${esc}38;5;2;1mx`), [{ text: "x", style: { colour: "green", bold: true } }])
    // Bright black, in its short and in its long form.
    for (const code of ["90", "38;5;8"])
      assert.deepStrictEqual(parseAnsi(`${esc}${code}mx`), [{ text: "x", style: { colour: "dim" } }], code)
  })

  it.each([
    `${esc}2J`,
    `${esc}10;20H`,
    `${esc}?25l`,
    "\u001b]0;title\u0007",
    "\u001b]8;;https://example.com\u001b\\",
    "\u001bP1$r0m\u001b\\",
    "\u001bc",
    "\u001b(B",
    "\u009b31;2K"
  ])("leaves out what steers a terminal (%#)", (sequence) => {
    assert.strictEqual(
      parseAnsi(`a${sequence}b`)
        .map(({ text }) => text)
        .join(""),
      "ab"
    )
  })

  it.each([`${esc}3`, "\u001b", "\u001b]0;tit"])("waits for the rest of an unfinished sequence (%#)", (sequence) => {
    assert.deepStrictEqual(parseAnsi(`a${sequence}`), [{ text: "a", style: {} }])
  })

  it("leaves lines as a terminal would", () => {
    assert.strictEqual(settleLines("10 %\r50 %\rdone\nab\bc\r\nx"), "done\nac\nx")
  })
})

describe("excerpts", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`).join("\n")

  it("show the last lines out of how many", () => {
    assert.deepStrictEqual(lastLines(`${lines(64)}\n`, 8), {
      text: "57\n58\n59\n60\n61\n62\n63\n64",
      shown: 8,
      total: 64
    })
    assert.deepStrictEqual(lastLines(lines(8), 8), { text: lines(8), shown: 8, total: 8 })
    assert.deepStrictEqual(lastLines("\n\n\nx", 1), { text: "x", shown: 1, total: 4 })
  })

  it("show the first lines out of how many", () => {
    assert.deepStrictEqual(firstLines(`${lines(64)}\r\n`, 2), { text: "1\n2", shown: 2, total: 64 })
  })

  it("count lines without the final line break", () => {
    assert.deepStrictEqual(["", "\n", "a", "a\n", "a\nb", "a\n\n"].map(countLines), [0, 1, 1, 1, 2, 2])
  })

  it("count words in any script", () => {
    assert.strictEqual(countWords("It’s 3 o'clock, isn't it?"), 5)
    assert.strictEqual(countWords(""), 0)
    assert.isAbove(countWords("私は学生です"), 2)
  })
})
