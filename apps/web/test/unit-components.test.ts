/** Components of a thread, in words and in order. */
import type { ComponentInfo } from "@signalbox/contracts/SessionChain"
import { assert, describe, it } from "vitest"
import { addedWords, chosenOf, listed, moved, withChoice } from "../src/threads/componentWords.ts"
import { fineDuration } from "../src/words/time.ts"

const known: ReadonlyArray<ComponentInfo> = [
  { name: "a", enabled: true },
  { name: "b", enabled: false },
  { name: "c", enabled: true }
]

describe("the components of a thread", () => {
  it("are those that the settings switch on, or those that were chosen", () => {
    assert.deepStrictEqual(chosenOf({}, known), ["a", "c"])
    assert.deepStrictEqual(chosenOf({ components: ["b"] }, known), ["b"])
    assert.deepStrictEqual(chosenOf({ components: [] }, known), [])
  })

  it("are listed as they are in the chain, the others behind them", () => {
    assert.deepStrictEqual(
      listed(["c", "gone", "a"], known).map(({ name }) => name),
      ["c", "a", "b"]
    )
  })

  it("go to the end when they are switched on, and move by one", () => {
    assert.deepStrictEqual(withChoice(["a"], "b", true), ["a", "b"])
    assert.deepStrictEqual(withChoice(["a", "b"], "a", false), ["b"])
    assert.deepStrictEqual(moved(["a", "b", "c"], "b", 1), ["a", "c", "b"])
    assert.deepStrictEqual(moved(["a", "b", "c"], "b", -1), ["b", "a", "c"])
    assert.deepStrictEqual(moved(["a", "b"], "a", -1), ["a", "b"])
    assert.deepStrictEqual(moved(["a", "b"], "b", 1), ["a", "b"])
    assert.deepStrictEqual(moved(["a"], "gone", 1), ["a"])
  })
})

describe("what a chain adds", () => {
  it("is the sum of its parts, and nothing while none is known", () => {
    assert.isUndefined(addedWords(undefined))
    assert.isUndefined(addedWords([{ name: "a", messages: 3 }]))
    assert.strictEqual(
      addedWords([
        { name: "a", messages: 30, heldMs: 0.3 },
        { name: "b", messages: 30, heldMs: 0.52 },
        { name: "agent", messages: 30 }
      ]),
      "adds 0.8 ms"
    )
  })

  it("is rounded as people read it", () => {
    assert.deepStrictEqual([0.02, 0.1, 9.96, 14.4].map(fineDuration), ["under 0.1 ms", "0.1 ms", "10.0 ms", "14 ms"])
  })
})
