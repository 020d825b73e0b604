/** A thread's state while events change it. `ThreadSteps` has the steps. */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { ItemView, OpenRequest, ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { Transcript } from "./Transcript.ts"
import * as TurnCount from "./TurnCount.ts"
import * as TurnTotals from "@signalbox/contracts/TurnTotals"

/** A state during changes. Its short lists are own copies, made once per batch. Its transcript is changed in place. */
export type Draft = { -readonly [Key in keyof Omit<ThreadHead, "turns" | "requests">]: ThreadHead[Key] } & {
  turns: Array<TurnView>
  requests: Array<OpenRequest>
  readonly transcript: Transcript
}

export const draftOf = (head: ThreadHead, transcript: Transcript): Draft => {
  const draft: Draft = {
    ...head,
    turns: [...head.turns],
    requests: [...head.requests],
    transcript: {
      ...transcript,
      put: (item) => {
        if (item.turnId !== undefined) count(draft, item.turnId, transcript.get(item.itemId), item)
        transcript.put(item)
      }
    }
  }
  return draft
}

/** Updates the totals of a turn for a changed entry. */
const count = (draft: Draft, turnId: TurnId, before: ItemView | undefined, item: ItemView): void => {
  // Most entries are pieces of a text, which change no total.
  if (before !== undefined && before.type !== "tool" && item.type !== "tool") return
  changeTotals(draft, turnId, (totals) => TurnCount.after(totals, before, item))
}

const changeTotals = (
  draft: Draft,
  turnId: TurnId,
  change: (totals: TurnTotals.TurnTotals) => TurnTotals.TurnTotals
): void => {
  const index = draft.turns.findLastIndex((turn) => turn.turnId === turnId)
  const turn = draft.turns[index]
  if (turn !== undefined) draft.turns[index] = { ...turn, totals: change(turn.totals ?? TurnTotals.none) }
}

/** Counts the outcome of a call that is out of reach. */
export const countUnseen = (draft: Draft, turnId: TurnId | undefined, tool: ToolCall): void => {
  if (turnId !== undefined) changeTotals(draft, turnId, (totals) => TurnCount.afterUnseen(totals, tool))
}

export const headOf = ({ transcript: _transcript, ...head }: Draft): ThreadHead => head
