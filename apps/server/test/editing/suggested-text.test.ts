import * as Positions from "@signalbox/acp/Positions"
import { assert, describe, it } from "@effect/vitest"
import * as SuggestedText from "../../src/editing/SuggestedText.ts"

const about = { id: "1", uri: "file:///a.ts" }
const replacement = (search: string, replace: string) =>
  ({ ...about, kind: "searchAndReplace", search, replace }) as const
const renaming = (newName: string) =>
  ({ ...about, kind: "rename", position: { line: 0, character: 0 }, newName }) as const
const at = (character: number, length: number) => ({
  start: { line: 0, character },
  end: { line: 0, character: character + length }
})

describe("the edits of a suggestion in a text", () => {
  it("are all places of a plain text, and all places of the same word", () => {
    const lines = Positions.of("one ones one")
    assert.deepStrictEqual(
      SuggestedText.editsIn(replacement("one", "$&"), lines)?.map(({ range }) => range),
      [at(0, 3), at(4, 3), at(9, 3)]
    )
    assert.deepStrictEqual(SuggestedText.editsIn(renaming("two"), lines), [
      { range: at(0, 3), newText: "two" },
      { range: at(9, 3), newText: "two" }
    ])
  })

  it("are none for too many places, and none for a text that would grow without bounds", () => {
    const { mostPlaces } = SuggestedText
    assert.lengthOf(
      SuggestedText.editsIn(replacement("a", "b"), Positions.of("a".repeat(mostPlaces))) ?? [],
      mostPlaces
    )
    assert.isUndefined(SuggestedText.editsIn(replacement("a", "b"), Positions.of("a".repeat(mostPlaces + 1))))
    const long = "y".repeat(1_000_000)
    const lines = Positions.of("a ".repeat(1000))
    assert.isUndefined(SuggestedText.editsIn(replacement("a", long), lines))
    assert.isUndefined(SuggestedText.editsIn(renaming(long), lines))
    assert.lengthOf(SuggestedText.editsIn(renaming(long), Positions.of("a b")) ?? [], 1)
  })
})
