/**
 * The session of a thread, as one table: `none → starting → ready → exited → starting …`. Pure. Whoever changes the state of a session does it
 * by a signal.
 */
import type { SessionView } from "@signalbox/contracts/ThreadView"

export type SessionState = SessionView["state"]

/**
 * `requested`: the agent is to start · `started`: it has a session · `failed`: its start came to nothing · `abandoned`: the turn failed that it
 * starts for · `exited`: the agent of this session ended · `replaced`: the agent of an earlier session ended.
 */
export type SessionSignal = "requested" | "started" | "failed" | "abandoned" | "exited" | "replaced"

/** The state after each signal. A signal that is missing changes nothing. */
const moves: Readonly<Record<SessionState, Readonly<Partial<Record<SessionSignal, SessionState>>>>> = {
  none: { requested: "starting", started: "ready", failed: "exited", exited: "exited", replaced: "exited" },
  starting: {
    requested: "starting",
    started: "ready",
    failed: "exited",
    abandoned: "exited",
    exited: "exited",
    replaced: "exited"
  },
  // The end of an earlier process says nothing about the one that took its place.
  ready: { requested: "starting", started: "ready", failed: "exited", exited: "exited" },
  exited: { requested: "starting", started: "ready", failed: "exited", exited: "exited", replaced: "exited" }
}

/** The state after a signal; undefined if the signal changes nothing. */
export const after = (state: SessionState, signal: SessionSignal): SessionState | undefined => moves[state][signal]

/** Whether the agent runs or starts. */
export const isOn = (state: SessionState): boolean => state === "starting" || state === "ready"
