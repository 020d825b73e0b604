/** What a fold costs beside the log: when the next one is due, and whether a step is written as a fold at once. */
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { isOpen } from "@signalbox/threads/OpenItem"
import { weightOfLogged } from "../base/EventWeight.ts"
import type { ThreadFold } from "../storage/ThreadStore.ts"
import type { Staged } from "./Staged.ts"
import type { ThreadState } from "./ThreadState.ts"
import * as Unfolded from "./Unfolded.ts"

/** A fold is due after this many events, or this many characters in events. */
const foldRows = 4096
const foldWeight = 1024 * 1024

/** Events of a step that is written as the state that it leads to. Growing text of so many UTF-16 units may be rewritten for it. */
const largeStep = 64
const mostRewritten = 16 * 1024

/** What was written to the log since the last fold. Plain data, which the lane of the thread alone changes. */
export interface FoldCost {
  rows: number
  weight: number
  /** The weight from which on a fold is due. */
  enough: number
}

export const make = (): FoldCost => ({ rows: 0, weight: 0, enough: foldWeight })

export const isDue = ({ enough, rows, weight }: FoldCost): boolean => rows >= foldRows || weight >= enough

/** Counts events that were written. */
export const count = (cost: FoldCost, events: ReadonlyArray<LoggedEvent>): void => {
  cost.rows += events.length
  cost.weight += weightOfLogged(events)
}

/** Counts from zero again. */
export const reset = (cost: FoldCost): void => {
  cost.rows = 0
  cost.weight = 0
}

/** Counts from zero after a fold. Each fold writes growing texts as a whole, so long ones put the next fold off. */
export const paid = (cost: FoldCost, fold: ThreadFold): void => {
  reset(cost)
  cost.enough = Math.max(foldWeight, growing(fold))
}

/** The fold of a large step of an agent. Undefined if its events and, later, the state are less to write. */
export const foldInstead = (state: ThreadState, staged: Staged): ThreadFold | undefined => {
  const { events } = staged
  if (events.length < largeStep || !events.every(({ event }) => isOfAgent(event))) return undefined
  const fold = Unfolded.foldAfter(state, staged)
  return fold && growing(fold) <= mostRewritten ? fold : undefined
}

/** UTF-16 units of the texts in it that are still going on. */
const growing = ({ items }: ThreadFold): number => {
  let length = 0
  for (const { item } of items)
    if ((item.type === "message" || item.type === "thought") && isOpen(item)) length += item.text.length
  return length
}

const isOfAgent = (event: ThreadEvent): boolean => "providerSessionId" in event
