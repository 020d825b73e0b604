import { inText, revealAll, revealControls, revealProse } from "@signalbox/contracts/Invisible"
import { assert, describe, it } from "@effect/vitest"

describe("invisible characters", () => {
  const shown = (text: string) =>
    revealAll(text)
      .map((piece) => (piece.type === "text" ? piece.text : `[${piece.glyph}]`))
      .join("")

  it("are glyphs in what people are about to allow", () => {
    assert.strictEqual(shown("a\u0000b\u001b\u007f"), "a[␀]b[␛][␡]")
    assert.strictEqual(shown("rm \u202egpj.exe\u2066"), "rm [U+202E]gpj.exe[U+2066]")
    assert.strictEqual(shown("a\u200bb\ufeffc\u00add"), "a[U+200B]b[U+FEFF]c[U+00AD]d")
    assert.strictEqual(shown("a\u00a0b\u3000c\u2028"), "a[⍽]b[U+3000]c[U+2028]")
    assert.strictEqual(shown("a\tb\nc"), "a[⇥]b[↵]c")
    assert.strictEqual(shown("x\ue000\u{e0041}\u3164\ud800"), "x[U+E000][U+E0041][U+3164][U+D800]")
  })

  it("lose nothing of the text", () => {
    const text = "a\u0000\u202e\u{e0041} b\ud83d\ude00\n"
    assert.strictEqual(
      revealAll(text)
        .map((piece) => piece.text)
        .join(""),
      text
    )
  })

  it("of scripts and emoji stay in what was printed, overrides do not", () => {
    assert.deepStrictEqual(revealControls("👩‍🚀 नमस्‍ते\tx\n"), [{ type: "text", text: "👩‍🚀 नमस्‍ते\tx\n" }])
    assert.strictEqual(revealControls("a\u202eb\u0007").filter(({ type }) => type === "glyph").length, 2)
  })

  it("of what people wrote are glyphs where they hide or reorder it", () => {
    const shown = (text: string) => inText(revealProse(text))
    assert.strictEqual(shown("pay \u202egpj.exe\u2066"), "pay <U+202E>gpj.exe<U+2066>")
    assert.strictEqual(shown("a\u200bb\ufeffc\u00add\u3164"), "a<U+200B>b<U+FEFF>c<U+00AD>d<U+3164>")
    assert.strictEqual(shown("ok\u{e0072}\u{e006d}\u001b[2J"), "ok<U+E0072><U+E006D>␛[2J")
    assert.strictEqual(shown("a\u200db\u200cc\ufe0f"), "a<U+200D>b<U+200C>c<U+FE0F>")
    assert.strictEqual(shown("lone \ud800\rx"), "lone <U+D800>␍x")
  })

  it("of scripts, spaces and emoji stay in what people wrote", () => {
    for (const text of ["👩‍🚀 ❤️ 👨‍👩‍👧 👍🏽 🏳️‍🌈", "नमस्‍ते می‌خواهم", "oui\u00a0! 漢字\u3000x", "a\tb\r\nc\n", "ünï — “x”"])
      assert.deepStrictEqual(revealProse(text), [{ type: "text", text }])
  })

  it("leave plain text alone", () => {
    assert.deepStrictEqual(revealAll("pnpm vitest run — ünï 漢字 😀"), [
      { type: "text", text: "pnpm vitest run — ünï 漢字 😀" }
    ])
  })

  it.each([
    ["Arabic letter mark", "\u061c"],
    ["soft hyphen", "\u00ad"],
    ["Hangul filler", "\u115f"],
    ["Hangul filler", "\u1160"],
    ["Hangul filler", "\u3164"],
    ["Hangul filler", "\uffa0"],
    ["tag “r”", "\u{e0072}"],
    ["tag", "\u{e0001}"],
    ["tag", "\u{e007f}"],
    ["blank Braille pattern", "\u2800"],
    ["Mongolian vowel separator", "\u180e"],
    ["variation selector", "\ufe0f"],
    ["variation selector", "\u{e0100}"],
    ["combining grapheme joiner", "\u034f"],
    ["invisible times", "\u2062"],
    ["interlinear annotation", "\ufff9"],
    ["blank note head", "\u{1d159}"],
    ["invisible", "\u{e0fff}"]
  ])("are called by their name: %s", (name, character) => {
    const [before, piece, after] = revealAll(`a${character}b`)
    assert.deepStrictEqual(
      [before, after],
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" }
      ]
    )
    assert(piece?.type === "glyph")
    assert.strictEqual(piece.name, `${piece.glyph}, ${name}`)
  })

  it("can be shown in a text, where lines still break", () => {
    assert.strictEqual(inText(revealAll("ls \u202e\n\u001b[8mrm")), "ls <U+202E>↵\n␛[8mrm")
  })

  it("hide nowhere, whatever their number", () => {
    const every = Array.from({ length: 0x110000 }, (_, code) => code)
    const blank = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]$/u
    const hidden = every.filter((code) => {
      const character = String.fromCodePoint(code)
      return blank.test(character) && revealAll(character)[0]?.type !== "glyph"
    })
    assert.deepStrictEqual(hidden, [])
  })
})
