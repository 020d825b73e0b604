import { assert, describe, it } from "@effect/vitest"
import { readSlice, splitBlocks } from "../src/markdown/blocks.ts"
import { readMarkdown } from "../src/markdown/Markdown.tsx"
import * as SliceReader from "../src/markdown/SliceReader.ts"

const blocksOf = (reader: SliceReader.SliceReader, text: string) => {
  for (let most = 1; ; most++) {
    const { isWhole, slices } = reader.read(text, most)
    if (isWhole) return slices.flatMap(({ blocks }) => blocks)
  }
}

describe("a long text of Markdown", () => {
  it("is read in slices of a bounded number of blocks", () => {
    const paragraphs = 200_000
    const text = "ab\n\n".repeat(paragraphs)
    const reader = SliceReader.make()
    let read = 0
    for (let most = 1, isWhole = false; !isWhole; most++) {
      const now = reader.read(text, most)
      isWhole = now.isWhole
      assert.isAtMost(now.slices.length, most)
      const last = now.slices.at(-1)
      assert.isAtMost(last?.blocks.length ?? 0, 100)
      read += last?.blocks.length ?? 0
    }
    assert.strictEqual(read, paragraphs)
  })

  it("is read in slices of a bounded length, but for a block that is longer", () => {
    const text = `${`${"word ".repeat(800)}\n\n`.repeat(30)}\`\`\`\n${"x\n\n".repeat(20_000)}\`\`\`\nend\n`
    for (let at = 0; at < text.length;) {
      const { blocks, end, start } = readSlice(text, at, "")
      if (!blocks.some(({ type }) => type === "code")) assert.isAtMost(end - start, 16_384 + 4002)
      at = end
    }
    assert.deepStrictEqual(
      splitBlocks(text)
        .slice(-2)
        .map(({ type }) => type),
      ["code", "markdown"]
    )
  })

  it("that grows reads again only the slice that it ends in", () => {
    const text = "a\n\n".repeat(1000)
    const reader = SliceReader.make()
    blocksOf(reader, text)
    const before = reader.read(text, 1000).slices
    const after = reader.read(`${text}more`, 1000).slices
    assert.isAbove(before.length, 5)
    for (const [index, slice] of before.slice(0, -1).entries()) assert.strictEqual(after[index], slice)
  })

  it.each([
    [
      "a code block",
      `${"a\n\n".repeat(150)}\`\`\`ts\n${"x = 1\n\n".repeat(150)}\`\`\`\n\nafter\n\n${"b\n\n".repeat(150)}`
    ],
    ["a list", `${"- a\n\n".repeat(150)}${"b\n\n".repeat(150)}- c\n\n   \`\`\`\n   d\n   \`\`\`\n`],
    ["links that are defined at its end", `${"[a] b\n\n".repeat(150)}[a]: https://a.example\n`]
  ])("that comes piece by piece is read as if it had come at once: %s", (_, text) => {
    const reader = SliceReader.make()
    for (let length = 0; length < text.length; length += 97) reader.read(text.slice(0, length), 1000)
    assert.deepStrictEqual(blocksOf(reader, text), splitBlocks(text))
  })

  it("that is replaced by another is read anew", () => {
    const reader = SliceReader.make()
    blocksOf(reader, "a\n\nb\n\nc")
    assert.deepStrictEqual(blocksOf(reader, "x"), splitBlocks("x"))
  })
})

describe("Markdown that is made to take long", () => {
  // Read by the Markdown reader, these would take minutes, or overflow its stack or the page's.
  it.each([">", "> ", "[", "![", "*", "*a ", "_a*", "- ", "1. ", "`", "[^a]: ", "<a ", "&", "~a"])(
    "is shown as it came: %j",
    (piece) => {
      assert.isUndefined(readMarkdown(piece.repeat(20_000)))
    }
  )

  it.each([
    "-".repeat(80),
    `| ${"a | ".repeat(20)}\n|${"---|".repeat(20)}\n${`| ${"b | ".repeat(20)}\n`.repeat(50)}`,
    "> > quoted\n> more",
    "- a\n  - b\n    - c",
    "`code` and *words* and [links](https://a.example). ".repeat(100)
  ])("is not what people write: %#", (source) => {
    assert.isDefined(readMarkdown(source))
  })
})
