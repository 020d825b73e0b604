/** Places of a rename that a person has begun, from the text as it was to the text of now. */
import * as Positions from "@signalbox/acp/Positions"
import { assert, describe, it } from "@effect/vitest"
import * as SupposedText from "../../src/suggestions/SupposedText.ts"

const oldName = "one"
const before = "// 🚦\r\n/* 𝒳 */ let one = 1, two = one + one\r\nprint(one)"
const then = Positions.of(before)
const places = [...before.matchAll(/\bone\b/g)].map(({ index }) => index)

const edit = (from: number, newText: string) => ({
  range: { start: then.positionAt(from), end: then.positionAt(from + oldName.length) },
  newText
})

describe("the rest of a rename", () => {
  for (const newName of ["o", "uno", "united"])
    it(`has its places in the text of now, whichever was changed to ${newName}`, () => {
      const whole = before.replaceAll(/\bone\b/g, newName)
      for (const done of places)
        for (const asked of places.filter((place) => place !== done)) {
          const lines = then.edit([edit(done, newName)])
          const longer = asked > done ? newName.length - oldName.length : 0
          const position = lines.positionAt(asked + longer)
          const [supposed] = SupposedText.before({ lines, focus: undefined }, position, newName)
          const edits = places.map((place) => edit(place, newName))
          assert.strictEqual(supposed?.lines.text, before)
          assert.deepStrictEqual(supposed?.position, then.positionAt(asked))
          assert.isTrue(supposed?.isAmong(edits))
          assert.strictEqual(lines.edit(supposed?.now(edits) ?? []).text, whole)
        }
    })

  it("has a place once more where a server wants more than the new name", () => {
    const [first = 0, second = 0] = places
    const lines = then.edit([edit(first, "united")])
    const [supposed] = SupposedText.before({ lines, focus: undefined }, lines.positionAt(second + 3), "united")
    const now = supposed?.now([edit(first, "one: united"), edit(second, "united")]) ?? []
    assert.include(lines.edit(now).text, "let one: united = 1, two = united + one")
  })
})
