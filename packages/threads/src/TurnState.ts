/**
 * The states of a turn, as one table: `queued → sent → working ⇄ waiting → cancelling → an end`. Pure. Only signals
 * change the status, so no turn can leave an end, and every other turn can reach one.
 */
import type { TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { TurnStatus } from "@signalbox/contracts/ThreadView"

/**
 * `dispatched`: committed for the agent · `sign`: the agent did something in the turn · `asked`: it waits for people ·
 * `unblocked`: no request is open any more · `stopped`: somebody pressed Stop. The others are ends; `lost`: the server
 * ended during the turn.
 */
export type TurnSignal = "dispatched" | "sign" | "asked" | "unblocked" | "stopped" | TurnEnding
export type TurnEnding = TurnOutcome | "lost"

type Living = "queued" | "sent" | "working" | "waiting" | "cancelling"
type Step = Exclude<TurnSignal, TurnEnding>

/** The status after each signal, for a turn that has not ended. A missing signal changes nothing. */
const steps: Readonly<Record<Living, Readonly<Partial<Record<Step, Living>>>>> = {
  queued: { dispatched: "sent" },
  sent: { sign: "working", asked: "waiting", stopped: "cancelling" },
  working: { asked: "waiting", stopped: "cancelling" },
  waiting: { unblocked: "working", stopped: "cancelling" },
  // Only an end follows Stop: later events of the agent don't undo it.
  cancelling: {}
}

const isLiving = (status: TurnStatus): status is Living => status in steps
const isStep = (signal: TurnSignal): signal is Step => !endings.has(signal)

const endings: ReadonlySet<TurnSignal> = new Set(["completed", "cancelled", "refused", "limited", "failed", "lost"])

/** Whether a turn has ended. */
export const hasEnded = (status: TurnStatus): boolean => !isLiving(status)

/** Whether the agent has the turn. */
export const isRunning = (status: TurnStatus): boolean => isLiving(status) && status !== "queued"

/** The status after a signal. Undefined if the signal changes nothing. */
export const after = (status: TurnStatus, signal: TurnSignal): TurnStatus | undefined => {
  if (!isLiving(status)) return undefined
  return isStep(signal) ? steps[status][signal] : signal
}
