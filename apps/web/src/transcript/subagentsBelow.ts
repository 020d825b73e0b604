/** Sub-agents that sub-agents have started: the entry of the topmost one tells of all below it. */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"

export type SubagentItem = Extract<ItemView, { readonly type: "subagent" }>

export interface SubagentsBelow {
  /** Those below each topmost one, each behind the one that started it. */
  readonly of: ReadonlyMap<ItemId, ReadonlyArray<SubagentItem>>
  /** They are no entries of their own. One whose parent is not on the page stands alone. */
  readonly hidden: ReadonlySet<ItemId>
}

export const subagentsBelow = ({ items }: Pick<ThreadView, "items">): SubagentsBelow => {
  /**
   * Sub-agents by the one that started them, of all that came so far. Only what came before can have started one, so that none stands below
   * itself.
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

/** How far in it stands below the topmost one, from 1. */
export const stepsIn = (top: SubagentItem, { parent }: SubagentItem): number => {
  const topDepth = top.parent === undefined ? 0 : top.parent.depth + 1
  return Math.max(1, (parent?.depth ?? topDepth) - topDepth + 1)
}
