/** A thread's state while events change it. `ThreadSteps` has the steps. */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { ItemView, OpenRequest, ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { Transcript } from "./Transcript.ts"
import * as TurnCount from "./TurnCount.ts"
import * as TurnTotals from "@signalbox/contracts/TurnTotals"

/** A state under change: its short lists are copies of its own, taken once per batch; its transcript is changed in place. */
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

/** Keeps the totals of a turn in step with its entries. */
const count = (draft: Draft, turnId: TurnId, before: ItemView | undefined, item: ItemView): void => {
  // Most are pieces of a text, which change no total.
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

/** A call that is not at hand has ended: its outcome counts. */
export const countUnseen = (draft: Draft, turnId: TurnId | undefined, tool: ToolCall): void => {
  if (turnId !== undefined) changeTotals(draft, turnId, (totals) => TurnCount.afterUnseen(totals, tool))
}

export const headOf = ({ transcript: _transcript, ...head }: Draft): ThreadHead => head
