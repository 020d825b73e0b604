/** When two agents suggest the same. */
import { assert, describe, it } from "@effect/vitest"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Positions from "@signalbox/acp/Positions"
import { placesIn } from "../../src/cli/nes/SameSuggestion.ts"

const uri = "file:///w/a.ts"
const text = "let 😀 = one\r\nlet two = one\r\n"
const texts = new Map([[uri, Positions.of(text)]])
const at = (line: number, character: number) => ({ line, character })
const range = (line: number, from: number, to = from) => ({ start: at(line, from), end: at(line, to) })

const edit = (
  edits: ReadonlyArray<readonly [place: Positions.Range, newText: string]>,
  more: { readonly uri?: string; readonly cursorPosition?: Positions.Position } = {}
): Suggestion => ({
  kind: "edit",
  id: crypto.randomUUID(),
  uri,
  ...more,
  edits: edits.map(([range, newText]) => ({ range, newText }))
})

const isSame = (one: Suggestion, other: Suggestion): boolean => placesIn([one], [other], texts)[0] === 0

describe("suggestions are the same", () => {
  it("if their edits make the same text, in whatever pieces and order", () => {
    const small = edit([[range(0, 9, 12), "two"]])
    assert.isTrue(isSame(small, edit([[range(0, 0, 12), "let 😀 = two"]])))
    assert.isTrue(isSame(small, edit([[range(0, 9, 12), "two"]], { cursorPosition: at(1, 1) })))
    assert.isTrue(isSame(small, edit([[range(0, 4, 99), "😀 = two"]])))
    const [first, second] = [[range(0, 9, 12), "x"] as const, [range(1, 10, 13), "x"] as const]
    assert.isTrue(isSame(edit([first, second]), edit([second, first])))
    assert.isFalse(isSame(edit([first, second]), edit([first])))
    assert.isFalse(isSame(small, edit([[range(0, 9, 12), "tWo"]])))
  })

  it("in a file that is not open, if their edits are the same", () => {
    const more = { uri: "file:///w/b.ts" }
    const one = edit([[range(0, 1, 2), "x"]], more)
    assert.isTrue(isSame(one, edit([[range(0, 1, 2), "x"]], more)))
    assert.isFalse(isSame(one, edit([[range(0, 1, 3), "x"]], more)))
    assert.isFalse(isSame(one, edit([[range(0, 1, 2), "x"]])))
  })

  it("if they rename the same word, replace the same, or go to the same place", () => {
    const rename = (position: Positions.Position, newName: string): Suggestion => ({
      kind: "rename",
      id: "r",
      uri,
      position,
      newName
    })
    assert.isTrue(isSame(rename(at(0, 9), "n"), rename(at(1, 12), "n")))
    assert.isFalse(isSame(rename(at(0, 9), "n"), rename(at(1, 5), "n")))
    assert.isFalse(isSame(rename(at(0, 9), "n"), rename(at(0, 9), "m")))
    const replace = { kind: "searchAndReplace", id: "s", uri, search: "one", replace: "two" } as const
    assert.isTrue(isSame(replace, { ...replace, isRegex: false }))
    assert.isFalse(isSame(replace, { ...replace, isRegex: true }))
    const jump = { kind: "jump", id: "j", uri, position: at(1, 0) } as const
    assert.isTrue(isSame(jump, { ...jump, id: "k" }))
    assert.isFalse(isSame(jump, { ...jump, position: at(1, 1) }))
    assert.isFalse(isSame(jump, rename(at(1, 0), "n")))
  })
})
