/** How prompts are held that wait, in words. */
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { count } from "../words/figures.ts"

/** *2 prompts held*. */
export const heldWords = (view: Pick<ThreadView, "forgotten" | "turns">): string => {
  const { length } = TurnQueue.holdable(view)
  return length === 0 ? "Held" : `${count(length, "prompt")} held`
}

/** Why, after that. */
export const holdReason = ({ heldBy, provider, turns }: ThreadView): string => {
  switch (heldBy?.why) {
    case undefined:
      return "by you"
    case "stopped":
      return "you pressed Stop"
    case "cancelled":
      return "the turn was cancelled, not by you"
    case "refused":
      return `${provider.name} refused the turn`
    case "limited":
      return "the turn met a limit"
    case "failed": {
      const turn = turns.find(({ turnId }) => turnId === heldBy.turnId)
      return turn?.problem?.signIn === undefined ? "the turn failed" : `${provider.name} wants you to sign in`
    }
    case "forgotten":
      return `${provider.name} has lost the session`
    case "lost":
      return "the turn is lost"
  }
}

/** What becomes of a prompt that is sent now; undefined where nothing holds it. */
export const joining = (view: Pick<ThreadView, "forgotten" | "held" | "turns">): string | undefined => {
  if (!view.held) return undefined
  const { length } = TurnQueue.holdable(view)
  return length === 0 ? "Is held until you resume" : `Joins ${count(length, "held prompt")}`
}
