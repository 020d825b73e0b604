/** Plans as agents tell them: one without a name, or several by name. They come as entries, as a text or as a file (ACP v1, agent plan). */
import type { PlanEntry as WirePlanEntry, PlanUpdateContent } from "@signalbox/acp/AcpSchema"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import * as EventSink from "./EventSink.ts"
import type { Strand } from "./Strand.ts"

/** The entries of each plan by its name; "" names the one that has none. */
export type Plans = Map<string, ReadonlyArray<PlanEntry>>

/** Session state that this file reads and changes. */
export interface State {
  readonly sink: EventSink.EventSink
  /** The stretch that is told now. */
  readonly current: Strand
  readonly plans: Plans
  /** The entries of all plans, as they were told last. */
  plan: ReadonlyArray<PlanEntry>
}

/** Puts a plan in place as a whole; the one without a name unless `name` says which. An empty one is none. */
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
  // In the order in which the plans came.
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
