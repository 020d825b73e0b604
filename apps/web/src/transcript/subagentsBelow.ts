/** Sub-agents that other sub-agents started. The entry of the topmost one shows all below it. */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"

export type SubagentItem = Extract<ItemView, { readonly type: "subagent" }>

export interface SubagentsBelow {
  /** The sub-agents below each topmost one. Each follows the one that started it. */
  readonly of: ReadonlyMap<ItemId, ReadonlyArray<SubagentItem>>
  /** Sub-agents without entries of their own. One whose parent is not on the page has its own entry. */
  readonly hidden: ReadonlySet<ItemId>
}

export const subagentsBelow = ({ items }: Pick<ThreadView, "items">): SubagentsBelow => {
  /**
   * Sub-agents by the one that started them, in the order seen so far. Only an earlier one can start another, so none
   * can be below itself.
   */
  const children = new Map<ItemId, Array<SubagentItem>>()
  const top: Array<SubagentItem> = []
  const hidden = new Set<ItemId>()
  for (const item of items) {
    if (item.type !== "subagent") continue
    const siblings = item.parent && children.get(item.parent.itemId)
    if (siblings === undefined) top.push(item)
    else {
      siblings.push(item)
      hidden.add(item.itemId)
    }
    children.set(item.itemId, [])
  }
  const of = new Map<ItemId, ReadonlyArray<SubagentItem>>()
  for (const { itemId } of top) {
    const below: Array<SubagentItem> = []
    const waiting = (children.get(itemId) ?? []).toReversed()
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      below.push(next)
      waiting.push(...(children.get(next.itemId) ?? []).toReversed())
    }
    if (below.length > 0) of.set(itemId, below)
  }
  return { of, hidden }
}

/** The depth of a sub-agent below the topmost one, from 1. */
export const stepsIn = (top: SubagentItem, { parent }: SubagentItem): number => {
  const topDepth = top.parent === undefined ? 0 : top.parent.depth + 1
  return Math.max(1, (parent?.depth ?? topDepth) - topDepth + 1)
}
