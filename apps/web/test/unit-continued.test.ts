/** A message that is longer than one entry reads as one message. */
import { ItemId } from "@signalbox/contracts/Ids"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import { openFence, readSlice, splitBlocks } from "../src/markdown/blocks.ts"
import * as SliceReader from "../src/markdown/SliceReader.ts"
import { codeBehind } from "../src/transcript/continued.ts"
import { entriesOf } from "../src/transcript/entries.ts"
import { working } from "./gallery/thread.ts"

const fence = { marker: "```", language: "ts" }
const turnId = working.turns[0]!.turnId
const piece = (id: string, text: string, continued = true): ItemView => ({
  type: "message",
  itemId: ItemId.make(id),
  turnId,
  at: 1,
  text,
  content: [],
  endedAt: 2,
  ...(continued && { continued: true })
})
const continuations = (...items: ReadonlyArray<ItemView>) =>
  entriesOf({ ...working, items }).flatMap((entry) => (entry.type === "item" ? [entry.continuation] : []))

const pieces = [
  piece("a", "Look:\n\n```ts\none\n"),
  piece("b", "two\n\n"),
  piece("c", "three\n```\n\nDone.\n\n"),
  piece("d", "The end.", false),
  piece("e", "Another one.", false)
]

describe("a message in several entries", () => {
  it("goes on in each of them, within the code block that is open there", () => {
    assert.deepStrictEqual(continuations(...pieces), [undefined, { within: fence }, { within: fence }, {}, undefined])
  })

  it("is not gone on with by a thought, nor in another turn", () => {
    const [first] = pieces
    const thought: ItemView = { type: "thought", itemId: ItemId.make("t"), turnId, at: 1, text: "hm" }
    assert.deepStrictEqual(continuations(first!, thought), [undefined, undefined])
    assert.deepStrictEqual(continuations(first!, { ...pieces[1]!, turnId: working.turns[1]!.turnId }), [
      undefined,
      undefined
    ])
  })

  it("keeps what an entry goes on with while another one grows", () => {
    const [before] = continuations(...pieces.slice(0, 2)).slice(1)
    const [after] = continuations(...pieces.slice(0, 3)).slice(1)
    assert.strictEqual(after, before)
  })

  it("has one code block, whose whole code is copied", () => {
    assert.strictEqual(codeBehind(pieces, "a", fence), "two\n\nthree")
    assert.strictEqual(codeBehind(pieces.slice(0, 2), "a", fence), "two\n\n")
    assert.strictEqual(codeBehind(pieces, "nobody", fence), "")
  })
})

describe("a text that begins within a code block", () => {
  const blocksOf = (text: string, within = fence) =>
    readSlice(text, 0, "", within).blocks.map((block) =>
      block.type === "code" ? `code ${block.code}${block.continues ? ", continued" : ""}` : block.source
    )

  it("goes on with it up to its closing fence", () => {
    assert.deepStrictEqual(blocksOf("x\n\n# y\n```\n\ntext\n\n```\nz\n```"), [
      "code x\n\n# y, continued",
      "text",
      "code z"
    ])
    assert.deepStrictEqual(blocksOf("```\ntext"), ["code , continued", "text"])
    assert.deepStrictEqual(blocksOf("~~~\nx\n```", { marker: "~~~", language: "" }), ["code , continued", "x", "code "])
  })

  it("leaves open what it does not close", () => {
    assert.deepStrictEqual(openFence("x\n\ny", fence), fence)
    assert.isUndefined(openFence("x\n```\ny", fence))
    assert.deepStrictEqual(openFence("x\n```\n~~~~ css\ny", fence), { marker: "~~~~", language: "css" })
    assert.deepStrictEqual(openFence("", fence), fence)
    assert.isUndefined(openFence("a\n\n```\nb\n```\n"))
  })
})

describe("a long message of an earlier version, which is one entry", () => {
  it("is read in slices, none of which takes long, and nothing of it is left out", () => {
    const part = `${"word ".repeat(200)}\n\n- item\n- item\n\n\`\`\`ts\n${"const x = 1\n\n".repeat(40)}\`\`\`\n\n`
    const text = part.repeat(Math.ceil(1_150_000 / part.length))
    const reader = SliceReader.make()
    let calls = 0
    for (let most = 1, isWhole = false; !isWhole; most++) {
      const read = reader.read(text, most)
      isWhole = read.isWhole
      const last = read.slices.at(-1)
      assert.isAtMost((last?.end ?? 0) - (last?.start ?? 0), 16_384 + part.length)
      calls++
    }
    assert.isAbove(calls, 60)
    assert.strictEqual(splitBlocks(text).filter(({ type }) => type === "code").length * part.length, text.length)
  })
})
