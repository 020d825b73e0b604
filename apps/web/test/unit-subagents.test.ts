/** Sub-agents below each other, for any order and any parent that an agent reports. */
import { assert, describe, it } from "@effect/vitest"
import { ItemId } from "@signalbox/contracts/Ids"
import { stepsIn, type SubagentItem, subagentsBelow } from "../src/transcript/subagentsBelow.ts"

const item = (id: string, parent?: string, depth = 0): SubagentItem => ({
  type: "subagent",
  itemId: ItemId.make(id),
  at: 0,
  name: id,
  state: "running",
  ...(parent !== undefined && { parent: { itemId: ItemId.make(parent), depth } })
})

const drawn = (...items: ReadonlyArray<SubagentItem>) => {
  const { hidden, of } = subagentsBelow({ items })
  return items
    .filter(({ itemId }) => !hidden.has(itemId))
    .map((top) =>
      [top.itemId, ...(of.get(top.itemId) ?? []).map((one) => `${one.itemId} ${stepsIn(top, one)}`)].join(", ")
    )
}

describe("sub-agents of sub-agents", () => {
  it("stand below the one that started them, each behind its parent", () => {
    assert.deepStrictEqual(
      drawn(item("a"), item("b"), item("a1", "a"), item("b1", "b"), item("a11", "a1", 1), item("a2", "a")),
      ["a, a1 1, a11 2, a2 1", "b, b1 1"]
    )
  })

  it("stand alone where their parent is on another page, is their own child or themselves", () => {
    assert.deepStrictEqual(drawn(item("x1", "x", 3), item("x11", "x1", 4)), ["x1, x11 1"])
    assert.deepStrictEqual(drawn(item("a", "b"), item("b", "a")), ["a, b 1"])
    assert.deepStrictEqual(drawn(item("a", "a")), ["a"])
  })

  it("may be thousands, one in the other", () => {
    const chain = Array.from({ length: 4096 }, (_, index) =>
      item(`${index}`, index === 0 ? undefined : `${index - 1}`, index - 1)
    )
    assert.strictEqual(subagentsBelow({ items: chain }).of.get(ItemId.make("0"))?.length, 4095)
  })
})
