/**
 * The history of a thread's sessions since the thread came into memory: how often people stopped them, and which runs of the agent came to
 * nothing. Pure. It is folded from the thread's events beside the thread's state.
 */
import type { Timestamp } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type * as MutableRef from "effect/MutableRef"
import * as RestartBackoff from "@signalbox/process/RestartBackoff"

export interface SessionHistory {
  /** How often a person stopped the session. The latest stop takes back every start that was requested before it. */
  readonly stops: number
  readonly runs: ReadonlyArray<RestartBackoff.Run>
  /** When the agent last ended by itself; undefined if it has started since or was ended on request. */
  readonly crashedAt: Timestamp | undefined
}

export const none: SessionHistory = { stops: 0, runs: [], crashedAt: undefined }

export const after = (history: SessionHistory, event: ThreadEvent): SessionHistory => {
  if (event.type === "session.stop.requested") return stopped(history)
  if (event.type === "session.started")
    return { ...history, runs: [...history.runs, { startedAt: event.at }], crashedAt: undefined }
  if (event.type !== "session.exited") return history
  // An end on request clears the record.
  return event.expected ? { ...history, runs: [], crashedAt: undefined } : crashed(history, event.at)
}

/** A person stopped the session, or removes the thread. */
export const stopped = (history: SessionHistory): SessionHistory => ({ ...history, stops: history.stops + 1 })

/** A start came to nothing. */
export const failed = (history: SessionHistory, at: Timestamp): SessionHistory =>
  crashed({ ...history, runs: [...history.runs, { startedAt: at }] }, at)

const crashed = (history: SessionHistory, endedAt: Timestamp): SessionHistory => {
  const last = history.runs.at(-1)
  const runs = last && last.endedAt === undefined ? [...history.runs.slice(0, -1), { ...last, endedAt }] : history.runs
  return { ...history, runs: RestartBackoff.keep(runs, endedAt), crashedAt: endedAt }
}

/** A check that holds from now on until somebody stops the session. */
export const untilStopped = (history: MutableRef.MutableRef<SessionHistory>): (() => boolean) => {
  const { stops } = history.current
  return () => history.current.stops === stops
}
