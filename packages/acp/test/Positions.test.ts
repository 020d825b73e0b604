import { assert, describe, it } from "@effect/vitest"
import * as Positions from "../src/Positions.ts"
import * as RandomTexts from "./RandomTexts.ts"

const encodings = ["utf-8", "utf-16", "utf-32"] as const

/** Lines with their offsets, found the slow way. */
const plainLines = (text: string) => {
  const lines: Array<{ readonly start: number; readonly content: string }> = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, content: text.slice(start, index) })
    start = index + end.length
  }
  return [...lines, { start, content: text.slice(start) }]
}

const sizeOf = (character: string, encoding: Positions.PositionEncoding) =>
  encoding === "utf-8" ? Buffer.byteLength(character) : encoding === "utf-16" ? character.length : 1

/** What LSP says about a position, found the slow way. */
const plainPlace = (text: string, position: Positions.Position, encoding: Positions.PositionEncoding) => {
  const line = plainLines(text)[position.line]
  if (line === undefined) return { offset: text.length, fit: "beyondText" }
  let { start: offset } = line
  let left = position.character
  for (const character of line.content) {
    const size = sizeOf(character, encoding)
    if (left === 0) break
    if (size > left) return { offset, fit: "insideCharacter" }
    left -= size
    offset += character.length
  }
  return { offset, fit: left === 0 ? "exact" : "beyondLine" }
}

const plainChange = (text: string, { range, text: inserted }: Positions.Change): string => {
  if (!range) return inserted
  const one = plainPlace(text, range.start, "utf-16").offset
  const other = plainPlace(text, range.end, "utf-16").offset
  return text.slice(0, Math.min(one, other)) + inserted + text.slice(Math.max(one, other))
}

const places = (lines: Positions.Lines, line: number, encoding: Positions.PositionEncoding, most: number) =>
  Array.from({ length: most + 1 }, (_, character) => lines.place({ line, character }, encoding))

describe("Positions", () => {
  it("count a line in bytes, UTF-16 units and code points", () => {
    const text = "aé€😀z"
    const lines = Positions.of(text)
    const boundaries = [0, 1, 2, 3, 5, 6]
    const counted = (encoding: Positions.PositionEncoding) =>
      boundaries.map((offset) => lines.positionAt(offset, encoding).character)
    assert.deepStrictEqual(counted("utf-16"), [0, 1, 2, 3, 5, 6])
    assert.deepStrictEqual(counted("utf-8"), [0, 1, 3, 6, 10, 11])
    assert.deepStrictEqual(counted("utf-32"), [0, 1, 2, 3, 4, 5])
  })

  it("inside a surrogate pair or a sequence of bytes are the character's start, and say so", () => {
    const lines = Positions.of("😀\né")
    const offsets = (line: number, encoding: Positions.PositionEncoding, most: number) =>
      places(lines, line, encoding, most).map(({ fit, offset }) => `${offset} ${fit}`)
    assert.deepStrictEqual(offsets(0, "utf-16", 2), ["0 exact", "0 insideCharacter", "2 exact"])
    assert.deepStrictEqual(offsets(0, "utf-8", 4), [
      "0 exact",
      "0 insideCharacter",
      "0 insideCharacter",
      "0 insideCharacter",
      "2 exact"
    ])
    assert.deepStrictEqual(offsets(1, "utf-8", 2), ["3 exact", "3 insideCharacter", "4 exact"])
    assert.deepStrictEqual(lines.positionAt(1), { line: 0, character: 0 })
  })

  it("take a surrogate without its other half for one character of three bytes", () => {
    for (const text of ["\ud83d", "\ude00", "\ude00\ud83d"]) {
      const lines = Positions.of(`${text}\ud83d\ude00`)
      const end = text.length
      assert.deepStrictEqual(lines.positionAt(end, "utf-8"), { line: 0, character: 3 * end })
      assert.deepStrictEqual(lines.positionAt(end, "utf-32"), { line: 0, character: end })
      assert.strictEqual(lines.offsetAt({ line: 0, character: 3 * end }, "utf-8"), end)
      assert.strictEqual(lines.offsetAt({ line: 0, character: end }, "utf-32"), end)
    }
  })

  it("count a combining mark as a character of its own", () => {
    const lines = Positions.of("e\u0301x")
    assert.deepStrictEqual(lines.positionAt(2, "utf-32"), { line: 0, character: 2 })
    assert.deepStrictEqual(lines.positionAt(2, "utf-8"), { line: 0, character: 3 })
    assert.deepStrictEqual(lines.place({ line: 0, character: 1 }, "utf-32"), { offset: 1, fit: "exact" })
  })

  it("know lines that end with LF, CRLF and CR, empty lines, and a last one without an end", () => {
    const lines = Positions.of("a\r\n\r\n\rb\n\nc")
    assert.deepStrictEqual(
      Array.from({ length: lines.count + 1 }, (_, number) => lines.line(number)),
      ["a", "", "", "b", "", "c", undefined]
    )
    assert.strictEqual(Positions.of("").count, 1)
    assert.strictEqual(Positions.of("a\n").line(1), "")
  })

  it("within CRLF are the line's end", () => {
    assert.deepStrictEqual(Positions.of("ab\r\ncd").positionAt(3), { line: 0, character: 2 })
  })

  it("beyond a line are its end without what ends it, and beyond the text are the text's end", () => {
    const lines = Positions.of("ab\r\ncd\n")
    for (const encoding of encodings) {
      assert.deepStrictEqual(lines.place({ line: 0, character: 3 }, encoding), { offset: 2, fit: "beyondLine" })
      const far = { line: 1, character: Number.MAX_SAFE_INTEGER }
      assert.deepStrictEqual(lines.place(far, encoding), { offset: 6, fit: "beyondLine" })
      assert.deepStrictEqual(lines.place({ line: 3, character: 0 }, encoding), { offset: 7, fit: "beyondText" })
      assert.deepStrictEqual(lines.place({ line: 2 ** 53, character: 0 }, encoding), { offset: 7, fit: "beyondText" })
    }
    assert.deepStrictEqual(lines.positionAt(99), { line: 2, character: 0 })
    assert.deepStrictEqual(lines.positionAt(-1), { line: 0, character: 0 })
  })

  it("are, in texts by chance and in every encoding, what a search through the text finds", () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = RandomTexts.of(seed)
      const text = random.text(random.below(seed % 10 === 0 ? 4000 : 40))
      const lines = Positions.of(text)
      assert.strictEqual(lines.text, text)
      assert.strictEqual(lines.count, plainLines(text).length)
      for (const encoding of encodings) {
        for (let i = 0; i < 20; i++) {
          const position = { line: random.below(lines.count + 1), character: random.below(20) }
          assert.deepEqual(lines.place(position, encoding), plainPlace(text, position, encoding), `seed ${seed}`)
          const offset = random.below(text.length + 1)
          const back = lines.offsetAt(lines.positionAt(offset, encoding), encoding)
          assert.deepStrictEqual(lines.positionAt(back, encoding), lines.positionAt(offset, encoding))
          assert.isTrue(back <= offset && offset - back <= 1, `seed ${seed}: ${back} of ${offset}`)
        }
      }
    }
  })

  it("survive the way through every other encoding and back", () => {
    for (let seed = 0; seed < 100; seed++) {
      const random = RandomTexts.of(seed)
      const lines = Positions.of(random.text(60))
      for (const from of encodings)
        for (const to of encodings) {
          const position = lines.positionAt(random.below(lines.length + 1), from)
          assert.deepStrictEqual(lines.convert(lines.convert(position, from, to), to, from), position)
        }
    }
  })

  it("are found in a line of a megabyte as in a short one", () => {
    for (const unit of ["abc", "aé€😀z", "😀", "\ud83d"]) {
      const text = unit.repeat(Math.ceil(2 ** 20 / unit.length))
      const lines = Positions.of(`first\n${text}\nlast`)
      const random = RandomTexts.of(unit.length)
      for (const encoding of encodings) {
        const perUnit = [...unit].reduce((sum, character) => sum + sizeOf(character, encoding), 0)
        for (let i = 0; i < 200; i++) {
          const times = random.below(text.length / unit.length)
          const offset = 6 + times * unit.length
          const position = { line: 1, character: times * perUnit }
          assert.deepStrictEqual(lines.positionAt(offset, encoding), position)
          assert.deepStrictEqual(lines.place(position, encoding), { offset, fit: "exact" })
        }
        const end = { offset: 6 + text.length, fit: "beyondLine" }
        assert.deepEqual(lines.place({ line: 1, character: 2 ** 40 }, encoding), end)
      }
    }
  })
})

describe("changes of a text", () => {
  it("apply in order, each to what the one before it made", () => {
    const at = (line: number, character: number) => ({ line, character })
    const lines = Positions.of("one\ntwo\n").change([
      { range: { start: at(0, 3), end: at(1, 0) }, text: "" },
      { range: { start: at(0, 3), end: at(0, 6) }, text: "\n3" },
      { range: { start: at(9, 0), end: at(9, 0) }, text: "end" }
    ])
    assert.strictEqual(lines.text, "one\n3\nend")
    assert.strictEqual(lines.change([{ text: "all" }, { text: "new", range: null }]).text, "new")
  })

  it("leave the text before them as it was", () => {
    const before = Positions.of("a\nb")
    before.replace(0, 3, "other")
    assert.strictEqual(before.text, "a\nb")
    assert.strictEqual(before.count, 2)
  })

  it("join CR and LF to one end of a line, and divide them", () => {
    const split = Positions.of("a\rb").replace(2, 2, "\n")
    assert.deepStrictEqual([split.count, split.text], [2, "a\r\nb"])
    const divided = split.replace(2, 2, "x")
    assert.deepStrictEqual([divided.count, divided.text], [3, "a\rx\nb"])
    const long = "x".repeat(5000)
    const ends = Positions.of(`${long}\r${long}\r${long}`)
    const joined = ends.replace(5001, 5001, "\n")
    assert.deepStrictEqual([joined.count, joined.line(1)], [3, long])
  })

  it("by chance, ten thousand of them, give what a search through the text gives", () => {
    const random = RandomTexts.of(128)
    let text = random.text(3000)
    let lines = Positions.of(text)
    for (let i = 0; i < 10_000; i++) {
      const change = i % 2500 === 2499 ? { text: random.text(2000) } : random.change(lines.count)
      text = plainChange(text, change)
      lines = lines.change([change])
      if (i % 100 === 0 || text.length !== lines.length) assert.strictEqual(lines.text, text, `change ${i}`)
      const offset = random.below(text.length + 1)
      if (i % 10 === 0) {
        const position = lines.positionAt(offset, "utf-8")
        assert.deepEqual(lines.place(position, "utf-8"), plainPlace(text, position, "utf-8"), `change ${i}`)
      }
    }
    assert.strictEqual(lines.text, text)
    assert.strictEqual(lines.count, plainLines(text).length)
  })

  it("at one place of a big text, again and again, leave the rest in place", () => {
    const line = `${"y".repeat(39)}\n`
    let lines = Positions.of(line.repeat(20_000))
    for (let i = 0; i < 2000; i++) lines = lines.replace(40_000, 40_000, line)
    for (let i = 0; i < 2000; i++) lines = lines.replace(20_000, 20_040, "")
    assert.strictEqual(lines.text, line.repeat(20_000))
    assert.strictEqual(lines.count, 20_001)
  })

  it("of one moment apply to the text as it was", () => {
    const range = (start: number, end: number) => ({
      start: { line: 0, character: start },
      end: { line: 0, character: end }
    })
    const edits = [
      { range: range(4, 5), newText: "5" },
      { range: range(0, 1), newText: "one" },
      { range: range(2, 2), newText: "<" },
      { range: range(2, 2), newText: ">" }
    ]
    assert.strictEqual(Positions.of("1 2 3").edit(edits).text, "one <>2 5")
    assert.strictEqual(Positions.of("1 2 3").slice(1, 4), " 2 ")
  })
})
