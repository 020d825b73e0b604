import { assert, describe, it } from "@effect/vitest"
import { splitBlocks, wholeCharacters } from "../src/markdown/blocks.ts"
import { decodeNamedCharacterReference } from "../src/markdown/namedCharacters.ts"
import { openable } from "../src/markdown/links.ts"

const shape = (text: string) =>
  splitBlocks(text).map((block) => (block.type === "code" ? `code:${block.code}` : block.source))

describe("blocks of Markdown", () => {
  it("are cut at blank lines", () => {
    assert.deepStrictEqual(shape("# A\n\nb\nc\n\n\n| x |\n|---|\n"), ["# A", "b\nc", "| x |\n|---|"])
  })

  it("keep a list with blank lines together, and what is indented below it", () => {
    assert.deepStrictEqual(shape("1. a\n\n2. b\n\n   more\n\nafter"), ["1. a\n\n2. b\n\n   more", "after"])
  })

  it("have a code block from its first line", () => {
    assert.deepStrictEqual(splitBlocks("a\n```ts\nconst x"), [
      { type: "markdown", source: "a" },
      { type: "code", fence: { marker: "```", language: "ts" }, code: "const x", open: true, continues: false }
    ])
    assert.deepStrictEqual(splitBlocks("```"), [
      { type: "code", fence: { marker: "```", language: "" }, code: "", open: true, continues: false }
    ])
  })

  it("close a fence with one that is as long, of the same kind", () => {
    assert.deepStrictEqual(shape("````md\n```\n~~~~\n````\nb"), ["code:```\n~~~~", "b"])
  })

  it("leave the fence of a list item to the list", () => {
    assert.deepStrictEqual(shape("- a\n\n  ```\n  b\n  ```\n"), ["- a\n\n  ```\n  b\n  ```"])
  })

  it("know the link definitions of the whole text", () => {
    assert.deepStrictEqual(shape("see [a]\n\nb\n\n[a]: https://example.com"), [
      "see [a]\n\n[a]: https://example.com",
      "b",
      "[a]: https://example.com\n\n[a]: https://example.com"
    ])
  })

  it("do not change when text is added at the end", () => {
    const text = "# A\n\npara **b**\n\n- x\n- y\n\n```sh\nls\n```\n\n1. one\n\n2. two\n\nend"
    for (let length = 1; length < text.length; length++) {
      const [before, after] = [splitBlocks(text.slice(0, length)), splitBlocks(text)]
      // All but the last two: a line that is not yet complete may still join the block before it.
      assert.deepStrictEqual(before.slice(0, -2), after.slice(0, Math.max(0, before.length - 2)))
    }
  })

  it("wait for the other half of a character", () => {
    assert.strictEqual(wholeCharacters("a\ud83d"), "a")
    assert.strictEqual(wholeCharacters("👩\u200d"), "👩")
    assert.strictEqual(wholeCharacters("a😀"), "a😀")
  })
})

describe("named characters", () => {
  it("are decoded when they are known, and stay text when they are not", () => {
    for (const [name, character] of [
      ["amp", "&"],
      ["lt", "<"],
      ["quot", '"'],
      ["nbsp", "\u00a0"],
      ["frac12", "½"],
      ["rarr", "→"],
      ["semi", ";"],
      ["NewLine", "\n"]
    ] as const)
      assert.strictEqual(decodeNamedCharacterReference(name), character, name)
    for (const name of ["", "nosuch", "AMP1", "constructor"]) assert.isFalse(decodeNamedCharacterReference(name), name)
  })
})

describe("links", () => {
  it.each(["https://example.com/a", "http://example.com", "mailto:a@example.com"])("%s can be opened", (address) => {
    assert.isDefined(openable(address))
  })

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vscode://x",
    "https://user:secret@example.com",
    "/relative",
    "#token=x",
    "//example.com"
  ])("%s can't", (address) => {
    assert.isUndefined(openable(address))
  })
})
