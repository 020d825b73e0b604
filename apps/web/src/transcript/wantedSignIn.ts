import type { ItemId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SignInOffer } from "@signalbox/contracts/SignInMethod"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"

export interface WantedSignIn {
  /** The entries that tell of it: a start and a prompt may both have been refused for the same login. */
  readonly itemIds: ReadonlyArray<ItemId>
  readonly problem: Problem
  readonly offer: SignInOffer
  /** The turn that came to nothing for the want of it; absent when the agent did not even start. */
  readonly turn: TurnView | undefined
}

/** Whether a thread goes on only once somebody has signed in: that is the last that was heard of it. */
export const wantedSignIn = (view: ThreadView): WantedSignIn | undefined => {
  const at = view.items.findLastIndex(({ type }) => type === "problem")
  const item = view.items[at]
  if (item?.type !== "problem" || item.problem.signIn === undefined || runningTurn(view) !== undefined) return undefined
  if (view.items.slice(at).some(({ type }) => type === "prompt")) return undefined
  const { session, turns } = view
  if (session.state === "ready" && (session.startedAt ?? 0) > item.at) return undefined
  const since = view.items.findLastIndex(({ type }) => type === "message" || type === "tool" || type === "thought")
  return {
    itemIds: view.items
      .slice(since + 1)
      .flatMap((one) => (one.type === "problem" && one.problem.signIn ? one.itemId : [])),
    problem: item.problem,
    offer: item.problem.signIn,
    turn: turns.find(({ turnId }) => turnId === item.turnId)
  }
}
