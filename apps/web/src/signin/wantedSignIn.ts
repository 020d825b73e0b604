import type { Problem } from "@signalbox/contracts/Problem"
import type { SignInOffer } from "@signalbox/contracts/SignInMethod"
import { runningTurn } from "@signalbox/contracts/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"

export interface WantedSignIn {
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
  return {
    problem: item.problem,
    offer: item.problem.signIn,
    turn: turns.find(({ turnId }) => turnId === item.turnId)
  }
}
