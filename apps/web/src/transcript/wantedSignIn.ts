import type { ItemId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SignInOffer } from "@signalbox/contracts/SignInMethod"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"

export interface WantedSignIn {
  /** The entries about it. A start and a prompt may both have failed for one missing sign-in. */
  readonly itemIds: ReadonlyArray<ItemId>
  readonly problem: Problem
  readonly offer: SignInOffer
  /** The turn that failed for it. Undefined if the agent did not even start. */
  readonly turn: TurnView | undefined
}

/** The sign-in that a thread waits for, if that is its latest problem. */
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
