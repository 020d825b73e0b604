/** What a plan says beyond its steps. Pure. */
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { ThreadView } from "@signalbox/contracts/ThreadView"

/** A line without what makes it an item of a list or a heading, and without emphasis. */
const bare = (line: string): string =>
  line
    .trim()
    .replace(/^#{1,6}\s+/, "")
    .replace(/^(?:[-*+]|\d+[.)])\s+/, "")
    .replace(/^\[[ xX]\]\s+/, "")
    .replaceAll(/[*_`]/g, "")
    .replace(/[.:]$/, "")
    .trim()
    .toLowerCase()

/** Whether the text of a plan holds anything that its name, its overview and its steps do not say already. */
export const saysMore = (plan: {
  readonly plan: string
  readonly name?: string
  readonly overview?: string
  readonly entries: ReadonlyArray<PlanEntry>
}): boolean => {
  const said = new Set(
    [plan.name ?? "", plan.overview ?? "", "plan", "steps", ...plan.entries.map(({ content }) => content)].map(bare)
  )
  return plan.plan.split("\n").some((line) => line.trim() !== "" && !said.has(bare(line)))
}

/** Whether a plan is worked off and belongs to a turn before the last one: then it is history, not what is being done. */
export const isPlanOver = ({ plan, planned, turns }: Pick<ThreadView, "plan" | "planned" | "turns">): boolean => {
  const last = turns.findLast(({ sentAt }) => sentAt !== undefined)
  return (
    plan.every(({ status }) => status === "completed" || status === "cancelled") &&
    last !== undefined &&
    last.turnId !== planned?.turnId
  )
}
