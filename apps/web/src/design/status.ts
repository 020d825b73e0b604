/** States as people read them. */
import type { TurnStatus } from "@signalbox/contracts/ThreadView"

/** What a lamp can say: the state of a turn, that something is new, or that a step is still to come. */
export type LampStatus = TurnStatus | "unread" | "todo"

export const statusWord: { readonly [Status in TurnStatus]: string } = {
  queued: "Queued",
  sent: "Sent",
  working: "Working",
  waiting: "Waiting",
  cancelling: "Stopping",
  completed: "Completed",
  cancelled: "Cancelled",
  refused: "Refused",
  limited: "Limited",
  failed: "Failed",
  lost: "Lost"
}
