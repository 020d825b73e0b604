import { assert, describe, it } from "@effect/vitest"
import type { Suggestion } from "@signalbox/contracts/Suggestions"
import { afterMove, isNear, offerOf, restOf, type Scene } from "../src/suggestions/Offer.ts"

const at = (line: number, character: number) => ({ line, character })
const edit = (line: number, from: number, to: number, newText: string, toLine = line) => ({
  range: { start: at(line, from), end: at(toLine, to) },
  newText
})
const edits = (...all: ReadonlyArray<ReturnType<typeof edit>>): Suggestion => ({
  kind: "edit",
  id: "1",
  path: "/a.ts",
  edits: all
})

const sceneOf = (text: string, line: number, character: number): Scene => ({
  path: "/a.ts",
  version: 3,
  text,
  lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
  caret: at(line, character),
  hasGhosts: true
})

const kind = (scene: Scene, suggestion: Suggestion) => offerOf(scene, suggestion)?.type

describe("a suggestion as VS Code can show it", () => {
  const scene = sceneOf("const a = f()\nconst b = g(1)\n", 0, 12)

  it("is grey text where it is put in at the caret or behind it on the line, and all stays that stood there", () => {
    assert.strictEqual(kind(scene, edits(edit(0, 12, 12, "x, y"))), "ghost")
    assert.strictEqual(kind(scene, edits(edit(0, 12, 13, "x, y)"))), "ghost")
    assert.strictEqual(kind(scene, edits(edit(0, 13, 13, ".then()\n  .catch()"))), "ghost")
    assert.strictEqual(kind(scene, edits(edit(0, 0, 13, "const a = f(x)"))), "ghost")
  })

  it("is drawn where it is before the caret, on another line, in several places, or takes something away", () => {
    assert.strictEqual(kind(scene, edits(edit(0, 6, 6, "b"))), "edit")
    assert.strictEqual(kind(scene, edits(edit(1, 12, 12, "2, "))), "edit")
    assert.strictEqual(kind(scene, edits(edit(0, 12, 12, "x"), edit(1, 12, 12, "x"))), "edit")
    assert.strictEqual(kind(scene, edits(edit(0, 12, 13, ""))), "edit")
    assert.strictEqual(kind(scene, edits(edit(0, 13, 0, " ", 1))), "edit")
    assert.strictEqual(kind({ ...scene, hasGhosts: false }, edits(edit(0, 12, 12, "x"))), "edit")
  })

  it("is a place, another file, or a list of places", () => {
    const about = { id: "1", path: "/a.ts" }
    assert.strictEqual(kind(scene, { ...about, kind: "jump", position: at(1, 0) }), "jump")
    assert.strictEqual(kind(scene, { ...about, path: "/b.ts", kind: "jump", position: at(1, 0) }), "elsewhere")
    assert.strictEqual(kind(scene, { ...about, kind: "rename", position: at(0, 6), newName: "x" }), "places")
  })

  it("is nothing where it changes nothing, or its parts overlap", () => {
    assert.isUndefined(offerOf(scene, edits(edit(0, 0, 5, "const"))))
    assert.isUndefined(offerOf(scene, edits(edit(0, 0, 5, "let"), edit(0, 4, 6, "x"))))
    assert.isUndefined(offerOf(scene, edits()))
  })

  it("has the line ends of the text, and the caret behind what was put in last", () => {
    const offer = offerOf(sceneOf("a\r\nb\r\n", 1, 1), edits(edit(0, 0, 1, "A"), edit(1, 1, 1, "\nc")))
    assert.deepInclude(offer, { type: "edit", after: "A\r\nb\r\nc\r\n", caret: 7 })
  })

  it("is gone once the caret leaves the line of a hint, and an edit stays", () => {
    const text = "1\n2\n3\n4\n"
    const here = sceneOf(text, 0, 0)
    const after = (suggestion: Suggestion, line: number) => {
      const offer = offerOf(here, suggestion)
      return offer && afterMove(offer, 0, at(line, 1), text)
    }
    const about = { id: "1", path: "/a.ts" }
    const hints: ReadonlyArray<Suggestion> = [
      { ...about, kind: "jump", position: at(3, 0) },
      { ...about, kind: "rename", position: at(0, 0), newName: "x" },
      { ...about, path: "/b.ts", kind: "jump", position: at(0, 0) }
    ]
    for (const hint of hints) {
      assert.strictEqual(after(hint, 0), "stays", hint.kind)
      assert.strictEqual(after(hint, 1), "gone", hint.kind)
    }
    assert.strictEqual(after(edits(edit(3, 0, 1, "x")), 1), "stays")
    assert.strictEqual(after(edits(edit(3, 0, 1, "x")), 2), "seen")
  })

  it("is near within a line of the caret", () => {
    const offer = offerOf(sceneOf("1\n2\n3\n4\n", 0, 0), edits(edit(2, 0, 1, "x")))
    if (offer?.type !== "edit") return assert.fail("It is drawn")
    assert.isFalse(isNear("1\n2\n3\n4\n", at(0, 0), offer))
    assert.isTrue(isNear("1\n2\n3\n4\n", at(1, 0), offer))
    assert.isTrue(isNear("1\n2\n3\n4\n", at(3, 0), offer))
  })
})

describe("grey text whose beginning is typed", () => {
  const offer = offerOf(sceneOf("ab", 0, 2), edits(edit(0, 2, 2, "cde")))

  it("stays as its rest", () => {
    if (offer === undefined) return assert.fail("It is offered")
    const rest = restOf(offer, 4, "abc")
    assert.deepInclude(rest, { version: 4, after: "abcde", changes: [{ from: 3, to: 3, insert: "de" }] })
    assert.deepInclude(rest && restOf(rest, 5, "abcd"), { changes: [{ from: 4, to: 4, insert: "e" }] })
  })

  it("ends where anything else is typed, and where all of it is", () => {
    if (offer === undefined) return assert.fail("It is offered")
    for (const now of ["abx", "ab", "a", "xabc", "abcde", "abcdef"]) assert.isUndefined(restOf(offer, 4, now), now)
  })
})
