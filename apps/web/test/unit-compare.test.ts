/** A conflict in three columns: which lines of the base stand beside which of the disk, and which of the unsaved text. */
import { Text } from "@codemirror/state"
import { assert, describe, it } from "@effect/vitest"
import { regionsOf, type Side, sides } from "../src/editor/regions.ts"

/** Numbers that look like chance and are the same each time. */
const numbers = (seed: number) => {
  let rest = seed
  return (below: number) => {
    rest = (rest * 1103515245 + 12345) % 2147483648
    return Math.floor(rest / 65536) % below
  }
}

const placesOf = (lines: Readonly<Record<Side, ReadonlyArray<string>>>) =>
  regionsOf({ disk: Text.of(lines.disk), base: Text.of(lines.base), mine: Text.of(lines.mine) })

/** Changes some lines of a text. */
const changed = (lines: ReadonlyArray<string>, next: (below: number) => number): ReadonlyArray<string> => {
  const copy = [...lines]
  for (let times = next(4); times > 0; times--) {
    const fresh = Array.from({ length: next(4) }, () => ["x", "", "one", "y z"][next(4)] ?? "")
    copy.splice(next(copy.length + 1), next(3), ...fresh)
  }
  return copy.length === 0 ? [""] : copy
}

describe("the places of a conflict", () => {
  it("are named for each side, with what both have changed", () => {
    const base = ["one", "two", "three", "four", "five", "six", ""]
    const found = placesOf({
      base,
      disk: ["ONE", "two", "three", "four", "FIVE", "six", ""],
      mine: ["one", "two", "more", "three", "four", "five mine", "and", "six", ""]
    })
    assert.deepStrictEqual(found, [
      { base: { from: 0, to: 1 }, disk: { from: 0, to: 1 }, mine: { from: 0, to: 1 }, by: ["disk"] },
      { base: { from: 2, to: 2 }, disk: { from: 2, to: 2 }, mine: { from: 2, to: 3 }, by: ["mine"] },
      { base: { from: 4, to: 5 }, disk: { from: 4, to: 5 }, mine: { from: 5, to: 7 }, by: ["disk", "mine"] }
    ])
  })

  it("hold all that differs, in order: between them, and where a side changed nothing, the lines are the same", () => {
    const next = numbers(7)
    for (let round = 0; round < 2000; round++) {
      const base = Array.from({ length: 1 + next(12) }, () => ["one", "two", "", "three"][next(4)] ?? "")
      const texts = { base, disk: changed(base, next), mine: changed(base, next) }
      const at = { base: 0, disk: 0, mine: 0 }
      for (const region of [...placesOf(texts), undefined]) {
        const before = sides.map((side) => texts[side].slice(at[side], region?.[side].from ?? texts[side].length))
        assert.deepStrictEqual([before[0], before[2]], [before[1], before[1]], JSON.stringify(texts))
        if (region === undefined) break
        for (const side of sides) {
          const { from, to } = region[side]
          assert.isTrue(from >= at[side] && to >= from && to <= texts[side].length, JSON.stringify(texts))
          at[side] = to
          if (side !== "base" && !region.by.includes(side))
            assert.deepStrictEqual(texts[side].slice(from, to), base.slice(region.base.from, region.base.to))
        }
      }
    }
  })
})
