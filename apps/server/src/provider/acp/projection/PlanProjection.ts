/**
 * Plans of agents: one without a name, or several by name. They come as entries, a text or a file (ACP v1, agent plan).
 */
import type { PlanEntry as WirePlanEntry, PlanUpdateContent } from "@signalbox/acp/AcpSchema"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import * as EventSink from "./EventSink.ts"
import type { Strand } from "./Strand.ts"

/** The entries of each plan by its name. "" is the plan without a name. */
export type Plans = Map<string, ReadonlyArray<PlanEntry>>

/** Session state that this file reads and changes. */
export interface State {
  readonly sink: EventSink.EventSink
  /** The strand that receives events now. */
  readonly current: Strand
  readonly plans: Plans
  /** The entries of all plans, as the last event had them. */
  plan: ReadonlyArray<PlanEntry>
}

/** Replaces the plan with this name; "" is the plan without a name. An empty plan is removed. */
export const set = (
  state: State,
  plan: ReadonlyArray<PlanEntry>,
  place: EventSink.Place = state.current.place,
  line?: number,
  name = ""
): void => {
  const { plans, sink } = state
  if (plan.length === 0) plans.delete(name)
  else plans.set(name, plan)
  // Plans are joined in the order in which they came.
  const entries = [...plans.values()].flat()
  if (isSame(entries, state.plan)) return
  state.plan = entries
  EventSink.push(sink, { type: "plan.updated", ...place, entries }, line)
}

const isSame = (one: ReadonlyArray<PlanEntry>, other: ReadonlyArray<PlanEntry>): boolean =>
  one.length === other.length &&
  one.every((entry, index) => {
    const { content, id, priority, status } = other[index] ?? entry
    return entry.content === content && entry.status === status && entry.id === id && entry.priority === priority
  })

export const entryOf = ({ content, priority, status }: WirePlanEntry): PlanEntry => ({ content, status, priority })

/**
 * Matches blanks only within a line: with line ends, the time would grow with the square of the number of empty lines.
 */
const tickedLine = /^[^\S\n]*[-*+][^\S\n]+\[([ xX])\][^\S\n]+(.+)$/gm

/** The entries of a plan in any form. A text with tick boxes gives one entry for each box. */
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
