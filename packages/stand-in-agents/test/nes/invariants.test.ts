import { assert, describe, it } from "vitest"
import { Random } from "../../src/cursor/Random.ts"
import { difference, followed, undone } from "../../src/nes/mind/Edit.ts"
import * as Mind from "../../src/nes/mind/Mind.ts"
import type { Idea, Scene } from "../../src/nes/mind/Scene.ts"
import { scene } from "./Scenes.ts"

const pieces = [
  ...Array.from("abc(){}[],;:.=\"'|<> \n"),
  "\r\n",
  "\r",
  "  ",
  "é",
  "😀",
  "👩‍💻",
  "e\u0301",
  "add(1, b)",
  "case ",
  "switch (a) {\n",
  "const total = ",
  "total",
  "enum K { A, B, C }",
  'type T = "a" | "b"\n',
  "item1\nitem2\n",
  "function add(a, b) {"
]

const splitsCharacter = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) || text.slice(at - 1, at + 1) === "\r\n"

/** A place that cuts no character and no end of a line. */
const placeIn = (text: string, random: Random): number => {
  const at = random.between(0, text.length)
  return splitsCharacter(text, at) ? at - 1 : at
}

const check = (given: Scene, idea: Idea): void => {
  if (idea.kind !== "edit") return
  let last = 0
  for (const { end, start, text } of idea.changes) {
    assert.isTrue(last <= start && start <= end && end <= given.text.length, "ranges are in order")
    assert.isFalse(splitsCharacter(given.text, start) || splitsCharacter(given.text, end), "no character is cut")
    assert.notStrictEqual(given.text.slice(start, end), text, "something changes")
    last = end
  }
  assert.isAtLeast(idea.changes.length, 1)
}

describe("The mind", () => {
  it("suggests changes that fit the text, whatever the text and the edits are", () => {
    let found = 0
    for (let seed = 0; seed < 3000; seed++) {
      const random = new Random(seed)
      const make = (most: number) =>
        Array.from({ length: random.between(0, most) }, () => pieces[random.between(0, pieces.length - 1)]).join("")
      // The same text twice, so that an edit of the one is missing in the other.
      let text = make(30).repeat(2)
      let edit = followed(undefined, text, text)
      for (let step = 0; step < 4; step++) {
        const [start = 0, end = 0] = [placeIn(text, random), placeIn(text, random)].toSorted((a, b) => a - b)
        const stop = Math.min(end, start + 3)
        const after = text.slice(0, start) + make(3) + text.slice(splitsCharacter(text, stop) ? start : stop)
        const next = followed(edit, text, after)
        if (next && edit === undefined) assert.strictEqual(undone(after, next), text)
        edit = next
        text = after
      }
      const base = scene(`${text}|`)
      const given: Scene = {
        ...base,
        caret: placeIn(text, random),
        trigger: random.between(0, 1) === 0 ? "automatic" : "manual",
        others: [{ uri: "file:///repo/app/b.ts", text: make(40), firstLine: 0 }],
        ...(edit && { lastEdit: { ...edit, uri: base.uri, text } })
      }
      const ideas = Mind.ideas(given)
      found += ideas.length
      for (const idea of ideas) check(given, idea)
      assert.deepStrictEqual(Mind.ideas(given), ideas)
    }
    assert.isAbove(found, 1000)
  })

  it("finds one change between two texts that makes the one into the other", () => {
    for (let seed = 0; seed < 3000; seed++) {
      const random = new Random(seed)
      const make = () =>
        Array.from({ length: random.between(0, 8) }, () => pieces[random.between(0, 40)] ?? "").join("")
      const before = make()
      const after = make()
      const change = difference(before, after)
      const made = change ? before.slice(0, change.start) + change.text + before.slice(change.end) : before
      assert.strictEqual(made, after)
      if (change) assert.isFalse(/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(change.text), "no character is cut")
    }
  })
})
