import { assert, describe, it } from "@effect/vitest"
import * as Positions from "@signalbox/acp/Positions"
import * as Encoding from "../src/running/Encoding.ts"

const texts = new Map([
  ["file:///a", Positions.of("é😀x\n")],
  ["file:///b", Positions.of("€€€\n")]
])
const at = (character: number) => ({ line: 0, character })
const fromUtf8 = (message: unknown, asked = "file:///a") =>
  Encoding.converted(message, { from: "utf-8", to: "utf-16", textOf: (uri) => texts.get(uri), asked })

describe("places in a message", () => {
  it("are counted in the text of the file that they are about", () => {
    assert.deepStrictEqual(fromUtf8({ range: { start: at(2), end: at(6) } }), { range: { start: at(1), end: at(3) } })
    const link = {
      originSelectionRange: { start: at(0), end: at(2) },
      targetUri: "file:///b",
      targetRange: { start: at(3), end: at(6) }
    }
    assert.deepStrictEqual(fromUtf8([link]), [
      { ...link, originSelectionRange: { start: at(0), end: at(1) }, targetRange: { start: at(1), end: at(2) } }
    ])
    const edit = (character: number) => [{ newText: "", range: { start: at(0), end: at(character) } }]
    assert.deepStrictEqual(fromUtf8({ changes: { "file:///b": edit(9), "file:///a": edit(2) } }), {
      changes: { "file:///b": edit(3), "file:///a": edit(1) }
    })
    const documentEdit = (character: number) => ({
      documentChanges: [{ textDocument: { uri: "file:///b", version: 1 }, edits: edit(character) }]
    })
    assert.deepStrictEqual(fromUtf8(documentEdit(6)), documentEdit(2))
  })

  it("stay as they are in what only the server understands, and in files that nobody knows", () => {
    const opaque = {
      data: { position: at(6) },
      arguments: [at(6)],
      uri: "file:///unknown",
      range: { start: at(6), end: at(6) }
    }
    assert.deepStrictEqual(fromUtf8(opaque), opaque)
    for (const value of [null, 1, "x", [], {}]) assert.deepStrictEqual(fromUtf8(value), value)
  })

  it("name all files that have to be read", () => {
    const message = {
      items: [{ targetUri: "file:///b" }, { textDocument: { uri: "file:///c" } }],
      changes: { "file:///d": [] }
    }
    assert.deepStrictEqual([...Encoding.urisIn(message)].toSorted(), ["file:///b", "file:///c", "file:///d"])
  })
})
