/** Counts the totals of a turn as its entries come and change. */
import { allLineChanges } from "@signalbox/contracts/LineChanges"
import { onlyPlans, writesPlan } from "./PlanCall.ts"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { type ToolCall, wentWrong } from "@signalbox/contracts/ToolCall"
import type { TurnTotals } from "@signalbox/contracts/TurnTotals"

type Outcome = Omit<TurnTotals, "entries" | "tools" | "kinds">

const open: Outcome = { edits: 0, added: 0, removed: 0, unmeasured: 0, failed: 0, rejected: 0 }

/** The counts of one call. Only finished work counts as done. */
const outcomeOf = (tool: ToolCall): Outcome => {
  if (tool.status === "rejected") return { ...open, rejected: 1 }
  if (tool.status === "failed" || (tool.status === "completed" && wentWrong(tool))) return { ...open, failed: 1 }
  if (tool.status !== "completed") return open
  let [edits, added, removed, unmeasured] = [0, 0, 0, 0]
  const begun = begunIn(tool)
  const changes = allLineChanges(tool.diffs.filter((_, index) => !begun.has(index)))
  for (const [index, diff] of tool.diffs.entries()) {
    if (!begun.has(index) && diff.oldText === diff.newText) continue
    edits = 1
    const lines = begun.has(index) ? diff.lines : changes.get(diff)
    if (lines === undefined) unmeasured = 1
    added += lines?.added ?? 0
    removed += lines?.removed ?? 0
  }
  return { ...open, edits, added, removed, unmeasured }
}

/** The indexes of diffs that are cut: these come with their line counts. */
const begunIn = ({ long = [] }: ToolCall): ReadonlySet<number> =>
  new Set(long.flatMap(({ part }) => (part.startsWith("diff:") ? Number(part.split(":")[1]) : [])))

/** The totals after an entry was replaced or added. The same object if nothing changes. */
export const after = (totals: TurnTotals, before: ItemView | undefined, item: ItemView): TurnTotals => {
  const entries = before === undefined ? totals.entries + 1 : totals.entries
  if (item.type !== "tool" && before?.type !== "tool") return before === undefined ? { ...totals, entries } : totals
  const old = countedOf(before)
  const now = countedOf(item)
  return {
    ...withOutcome(totals, old, now),
    entries,
    tools: totals.tools + (now ? 1 : 0) - (old ? 1 : 0),
    kinds: old?.kind === now?.kind ? totals.kinds : counted(counted(totals.kinds, old, -1), now, 1)
  }
}

/** The call, if it counts: writing the plan does not. */
const countedOf = (item: ItemView | undefined): ToolCall | undefined =>
  item?.type === "tool" && !onlyPlans(item.tool) ? item.tool : undefined

/**
 * The totals after the end of a call that is out of reach. It was counted at its start, unless it wrote the plan and
 * failed.
 */
export const afterUnseen = (totals: TurnTotals, tool: ToolCall): TurnTotals => {
  if (onlyPlans(tool)) return totals
  const known = withOutcome(totals, undefined, tool)
  return writesPlan(tool) ? { ...known, tools: totals.tools + 1, kinds: counted(totals.kinds, tool, 1) } : known
}

const withOutcome = (totals: TurnTotals, old: ToolCall | undefined, now: ToolCall | undefined): TurnTotals => {
  const minus = old ? outcomeOf(old) : open
  const plus = now ? outcomeOf(now) : open
  return {
    ...totals,
    edits: totals.edits + plus.edits - minus.edits,
    added: totals.added + plus.added - minus.added,
    removed: totals.removed + plus.removed - minus.removed,
    unmeasured: totals.unmeasured + plus.unmeasured - minus.unmeasured,
    failed: totals.failed + plus.failed - minus.failed,
    rejected: totals.rejected + plus.rejected - minus.rejected
  }
}

const counted = (kinds: TurnTotals["kinds"], tool: ToolCall | undefined, by: 1 | -1): TurnTotals["kinds"] => {
  if (tool === undefined) return kinds
  const { [tool.kind]: amount = 0, ...others } = kinds
  return amount + by === 0 ? others : { ...others, [tool.kind]: amount + by }
}
