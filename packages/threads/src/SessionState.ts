/**
 * The states of a thread's session, as one table: `none → starting → ready → exited → starting …`. Pure. Only signals
 * change the state.
 */
import type { SessionView } from "@signalbox/contracts/ThreadView"

export type SessionState = SessionView["state"]

/**
 * `requested`: the agent must start · `started`: it has a session · `failed`: its start failed · `abandoned`: the turn
 * that needed the start failed · `exited`: the agent of this session ended · `replaced`: the agent of an earlier
 * session ended.
 */
export type SessionSignal = "requested" | "started" | "failed" | "abandoned" | "exited" | "replaced"

/** The state after each signal. A missing signal changes nothing. */
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
  // The end of an earlier process does not concern the one that replaced it.
  ready: { requested: "starting", started: "ready", failed: "exited", exited: "exited" },
  exited: { requested: "starting", started: "ready", failed: "exited", exited: "exited", replaced: "exited" }
}

/** The state after a signal; undefined if the signal changes nothing. */
export const after = (state: SessionState, signal: SessionSignal): SessionState | undefined => moves[state][signal]

/** Whether the agent runs or starts. */
export const isOn = (state: SessionState): boolean => state === "starting" || state === "ready"
