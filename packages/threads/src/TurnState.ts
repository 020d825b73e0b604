/**
 * The life of a turn, as one table: `queued → sent → working ⇄ waiting → cancelling → an end`. Pure. Whoever changes the status of a turn
 * does it by a signal. So no turn can leave an end, and every turn that is not over can reach one.
 */
import type { TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { TurnStatus } from "@signalbox/contracts/ThreadView"

/**
 * `dispatched` committed for the agent · `sign` it did something in the turn · `asked` it waits for people · `unblocked` nothing is open
 * any more · `stopped` somebody pressed Stop. The others are ends: `lost` when our server ended under it.
 */
export type TurnSignal = "dispatched" | "sign" | "asked" | "unblocked" | "stopped" | TurnEnding
export type TurnEnding = TurnOutcome | "lost"

type Living = "queued" | "sent" | "working" | "waiting" | "cancelling"
type Step = Exclude<TurnSignal, TurnEnding>

/** What each signal makes of a turn that is not over; where a signal is missing it changes nothing. */
const steps: Readonly<Record<Living, Readonly<Partial<Record<Step, Living>>>>> = {
  queued: { dispatched: "sent" },
  sent: { sign: "working", asked: "waiting", stopped: "cancelling" },
  working: { asked: "waiting", stopped: "cancelling" },
  waiting: { unblocked: "working", stopped: "cancelling" },
  // Only an end follows Stop: what the agent still does or asks does not take it back.
  cancelling: {}
}

const isLiving = (status: TurnStatus): status is Living => status in steps
const isStep = (signal: TurnSignal): signal is Step => !endings.has(signal)

const endings: ReadonlySet<TurnSignal> = new Set(["completed", "cancelled", "refused", "limited", "failed", "lost"])

/** Whether a turn is over. */
export const hasEnded = (status: TurnStatus): boolean => !isLiving(status)

/** Whether the agent has the turn. */
export const isRunning = (status: TurnStatus): boolean => isLiving(status) && status !== "queued"

/** The status after a signal; undefined when the signal changes nothing. */
export const after = (status: TurnStatus, signal: TurnSignal): TurnStatus | undefined => {
  if (!isLiving(status)) return undefined
  return isStep(signal) ? steps[status][signal] : signal
}
