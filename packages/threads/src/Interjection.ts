/**
 * A prompt that is to come between, while a turn is running: the agent takes it into that turn, or the turn makes way for it.
 * Pure; see `turn.start` with `steer`.
 */
import type { TurnId } from "@signalbox/contracts/Ids"
import * as ThreadProjection from "./ThreadProjection.ts"
import type { ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "./TurnQueue.ts"
import type { Report } from "./Report.ts"

export interface Interjection {
  readonly turn: TurnView
  /** The running turn. */
  readonly into: TurnView
}

/** Whether the agent takes prompts into the turn that it has. */
export const isTaken = ({ session }: ThreadHead): boolean =>
  session.state === "ready" && session.capabilities?.steering === "agent"

/** What is to be given to the agent in the middle of its turn, if anything. */
export const next = (head: ThreadHead): Interjection | undefined => {
  const into = ThreadProjection.runningTurn(head)
  const turn = TurnQueue.next(head)
  // Of one that is being stopped there will be nothing left that could take it in.
  if (into === undefined || into.status === "cancelling" || !turn?.steer || !isTaken(head)) return undefined
  return { turn, into }
}

/** Stops the running turn for the sake of another one. Says nothing where there is none, or where somebody has stopped it already. */
export const makeWay = (head: ThreadHead, turnId: TurnId): ReadonlyArray<Report> => {
  const into = head.turns.find((turn) => turn.turnId !== turnId && isStoppable(turn))?.turnId
  if (into === undefined) return []
  return [
    { type: "turn.steered", turnId, way: "restart", into },
    { type: "turn.interrupt.requested", turnId: into }
  ]
}

const isStoppable = ({ status }: TurnView): boolean => status === "sent" || status === "working" || status === "waiting"
