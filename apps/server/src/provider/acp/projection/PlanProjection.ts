/** Plans as agents tell them: one without a name, or several by name. They come as entries, as a text or as a file (ACP v1, agent plan). */
import type { PlanEntry as WirePlanEntry, PlanUpdateContent } from "@signalbox/acp/AcpSchema"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"

/** The entries of each plan by its name; "" names the one that has none. */
export type Plans = Map<string, ReadonlyArray<PlanEntry>>

/** Puts one plan in the place of what it was; an empty one is none. Returns all of them as one list, in the order in which they came. */
export const replace = (plans: Plans, name: string, entries: ReadonlyArray<PlanEntry>): ReadonlyArray<PlanEntry> => {
  if (entries.length === 0) plans.delete(name)
  else plans.set(name, entries)
  return [...plans.values()].flat()
}

export const entryOf = ({ content, priority, status }: WirePlanEntry): PlanEntry => ({ content, status, priority })

/** Blanks only within the line: over many empty ones it would take time with the square of their number. */
const tickedLine = /^[^\S\n]*[-*+][^\S\n]+\[([ xX])\][^\S\n]+(.+)$/gm

/** What a plan says, however it is told. A text whose lines can be ticked off is read line by line. */
export const entriesOf = (plan: PlanUpdateContent): ReadonlyArray<PlanEntry> => {
  switch (plan.type) {
    case "items":
      return plan.entries.map(entryOf)
    case "file":
      return [{ content: plan.uri, status: "pending" }]
    case "markdown": {
      const ticked = [...plan.content.matchAll(tickedLine)]
      if (ticked.length > 0) return ticked.map(([, tick = " ", content = ""]) => itemOf(content, tick !== " "))
      return plan.content.trim() === "" ? [] : [itemOf(plan.content.trim(), false)]
    }
  }
}

const itemOf = (content: string, done: boolean): PlanEntry => ({ content, status: done ? "completed" : "pending" })
