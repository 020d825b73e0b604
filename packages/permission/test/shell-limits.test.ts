/** Lines that are too long or too deep end in one obstacle, without being parsed. */
import { assert, describe, it } from "@effect/vitest"
import * as Limits from "../src/shell/Limits.ts"
import * as ShellLine from "../src/shell/ShellLine.ts"

describe("A line beyond the limits is not parsed", () => {
  const refused: ReadonlyArray<readonly [what: string, line: string, why: string]> = [
    ["100,000 substitutions in each other", "$(".repeat(100_000), "longer"],
    ["1 MB of commands", "a;".repeat(500_000), "longer"],
    ["1 MB of brackets", "(".repeat(1_000_000), "longer"],
    ["1 MB of quotes never closed", `a '${"b".repeat(1_000_000)}`, "longer"],
    ["one character too many", "a".repeat(Limits.mostCharacters + 1), "longer"],
    ["deep substitutions", "$(".repeat(Limits.mostNested + 1), "nests"],
    ["many backquotes", "`".repeat(2 * Limits.mostNested + 1), "nests"],
    ["deep process substitutions", "<(".repeat(Limits.mostNested + 1), "nests"],
    ["deep brackets", "(".repeat(Limits.mostNested + 1), "nests"],
    ["many functions in each other", "f() ".repeat(Limits.mostFunctions + 1), "nests"],
    ["many coprocesses in each other", "coproc ".repeat(Limits.mostFunctions + 1), "nests"],
    ["deep braces", "{ ".repeat(Limits.mostNested + 1), "nests"],
    ["deep expansions", "${x:-".repeat(Limits.mostNested + 1), "nests"],
    ["deep substitutions whose end is quoted", '$(")"'.repeat(Limits.mostNested + 1), "nests"]
  ]
  for (const [what, line, why] of refused)
    it(`of ${what}`, () => {
      const { commands, obstacles, redirections } = ShellLine.read(line)
      assert.deepStrictEqual([commands, redirections], [[], []])
      assert.strictEqual(obstacles.length, 1)
      assert.include(obstacles[0]?.why, why)
      assert.isTrue((obstacles[0]?.text.length ?? 0) <= 200)
    })
})

describe("A line at the limits is read", () => {
  it("as many characters as may be", () => {
    const { commands, obstacles } = ShellLine.read("a;".repeat(Limits.mostCharacters / 2))
    assert.strictEqual(commands.length, Limits.mostCharacters / 2)
    assert.deepStrictEqual(obstacles, [])
  })

  it("as many substitutions in each other as may be", () => {
    const depth = Limits.mostNested
    const { commands, obstacles } = ShellLine.read(`${"a $(".repeat(depth)}b${")".repeat(depth)}`)
    assert.strictEqual(commands.length, depth + 1)
    assert.deepStrictEqual(obstacles, [])
  })
})

describe("Text of any shape up to the limit ends without an exception", () => {
  const pieces = [
    ..."! |if |time |while |case x in x) |[[ ! |[[ ( |(( - |((1? |f() |coproc |coproc x { |<<A |<<A\n|a;|a&&|a\\\n|'|\"|$'|$\"|\\".split(
      "|"
    ),
    ..."@(|{a,|{1..|$[|a[[|${x/|${x[|$((|for ((|x=(|x[|a=([|$(cat <<A\n|&>x |function f |select x in |elif |do |}|)|~|=|#|\\`".split(
      "|"
    ),
    "|",
    "||",
    "a|"
  ]
  for (const piece of pieces)
    for (const end of ["", "a", "'", ")", "}"])
      it(`repeated ${JSON.stringify(piece + end)}`, () => {
        const line = (piece.repeat(Limits.mostCharacters) + end).slice(-Limits.mostCharacters)
        const { commands, obstacles } = ShellLine.read(line)
        assert.isTrue(commands.length <= Limits.mostCharacters && obstacles.length <= Limits.mostCharacters)
      })
})
