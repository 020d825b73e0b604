/**
 * A steering prompt during a running turn: the agent takes it into that turn, or the turn is stopped for it. Pure; see
 * `turn.start` with `steer`.
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

/** Whether the agent accepts prompts within a turn. */
export const isTaken = ({ session }: ThreadHead): boolean =>
  session.state === "ready" && session.capabilities?.steering === "agent"

/** The prompt to send within the running turn. Undefined if there is none. */
export const next = (head: ThreadHead): Interjection | undefined => {
  const into = ThreadProjection.runningTurn(head)
  const turn = TurnQueue.next(head)
  // A turn that is being stopped can't take a prompt.
  if (into === undefined || into.status === "cancelling" || !turn?.steer || !isTaken(head)) return undefined
  return { turn, into }
}

/** Stops the running turn for another one. Empty if no turn runs, or if somebody has stopped it already. */
export const makeWay = (head: ThreadHead, turnId: TurnId): ReadonlyArray<Report> => {
  const into = head.turns.find((turn) => turn.turnId !== turnId && isStoppable(turn))?.turnId
  if (into === undefined) return []
  return [
    { type: "turn.steered", turnId, way: "restart", into },
    { type: "turn.interrupt.requested", turnId: into }
  ]
}

const isStoppable = ({ status }: TurnView): boolean => status === "sent" || status === "working" || status === "waiting"
