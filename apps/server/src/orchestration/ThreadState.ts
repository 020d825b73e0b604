/**
 * One thread in memory: what is known of it, and the latest of its transcript. Plain data, which the lane of the thread alone changes:
 * `Staged` by events, `ThreadRecall` by what is brought back, `Unfolded` and `ThreadWindow` when it is folded.
 */
import type { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import { defaultTurnLimit } from "@signalbox/contracts/Rpc"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import type { StoredThread, Window } from "../storage/ThreadStore.ts"
import { cursorAt } from "./Cursors.ts"
import * as Entries from "./Entries.ts"
import * as TurnPlaces from "./TurnPlaces.ts"

export interface ThreadState {
  readonly threadId: ThreadId
  /** How much of it stays in memory after a fold. */
  readonly within: Window
  /** Nothing before `thread.created`. Its turns are those at hand. */
  head: ThreadHead | undefined
  readonly entries: Entries.Entries
  readonly places: TurnPlaces.TurnPlaces
  /** The position from which on all entries are at hand. */
  begins: number
  /** Events behind this are in no fold yet. */
  foldedThrough: Sequence | undefined
}

/** How much of a thread stays in memory after a fold, and is shown at first. */
export const window: Window = { turns: defaultTurnLimit, items: 2000, weight: 4 * 1024 * 1024 }

type Loaded = Pick<StoredThread, "folded" | "nextItem" | "nextTurn">

/** The thread as it was folded. The events since then are still to be staged. */
export const make = (threadId: ThreadId, loaded?: Loaded, within = window): ThreadState => {
  const state: ThreadState = {
    threadId,
    within,
    head: undefined,
    entries: Entries.make(loaded?.nextItem ?? 1),
    places: TurnPlaces.make(loaded?.nextTurn ?? 1),
    begins: 1,
    foldedThrough: undefined
  }
  if (loaded?.folded === undefined) return state
  const { head, latest } = loaded.folded
  for (const placed of latest.items) Entries.hold(state.entries, placed)
  for (const placed of latest.turns) TurnPlaces.hold(state.places, placed)
  state.head = { ...head, turns: latest.turns.map(({ turn }) => turn) }
  state.foldedThrough = head.sequence
  if (latest.more) beginAt(state, latest.items[0]?.position ?? loaded.nextItem)
  return state
}

/** The head of a thread that is there. */
export const headOf = ({ head, threadId }: ThreadState): ThreadHead => {
  if (head === undefined) throw new Error(`The thread ${threadId} acts before it was created.`)
  return head
}

/** Notes where the state begins, so that nobody takes what goes on from before for something new. */
export const beginAt = (state: ThreadState, position: number): void => {
  state.begins = position
  if (state.head && position > 1)
    state.head = { ...state.head, earlier: cursorAt(position), earlierCount: position - 1 }
}
