/**
 * The phases of an adapter's session, as one table: `starting → ready ⇄ refused, lost → silent → stopping → ended`.
 * Only signals change the phase, so no session leaves its end, and every other session can reach it.
 */

/**
 * `starting`: not announced yet · `ready`: accepts prompts · `refused`: the last turn failed because a sign-in is
 * missing · `lost`: the agent no longer knows the session · `silent`: the agent's output has ended · `stopping`:
 * Signalbox ends it · `ended`: its end was emitted.
 */
export type SessionPhase = "starting" | "ready" | "refused" | "lost" | "silent" | "stopping" | "ended"

/**
 * `announced`: the start was emitted · `refused`, `forgotten`: the agent asked for a sign-in, or did not know the
 * session · `accepted`: a turn ended without either · `silenced`: the agent's output has ended · `stopped`: Signalbox
 * begins to end the session · `reported`: the end is emitted now.
 */
export type SessionSignal = "announced" | "accepted" | "refused" | "forgotten" | "silenced" | "stopped" | "reported"

type Moves = Readonly<Partial<Record<SessionSignal, SessionPhase>>>

/** Moves towards the end, open to each phase in which the agent can still be called. */
const endings: Moves = { silenced: "silent", stopped: "stopping" }

/** The phase after each signal. A missing signal changes nothing. */
const moves: Readonly<Record<SessionPhase, Moves>> = {
  starting: { announced: "ready", ...endings },
  ready: { refused: "refused", forgotten: "lost", ...endings },
  refused: { accepted: "ready", forgotten: "lost", ...endings },
  lost: { accepted: "ready", refused: "refused", ...endings },
  silent: { stopped: "stopping", reported: "ended" },
  stopping: { reported: "ended" },
  ended: {}
}

/** The phase after a signal; undefined if the signal changes nothing. */
export const after = (phase: SessionPhase, signal: SessionSignal): SessionPhase | undefined => moves[phase][signal]

/** Sends a signal to a session, and says whether its phase changed. */
export const send = (session: { phase: SessionPhase }, signal: SessionSignal): boolean => {
  const phase = after(session.phase, signal)
  if (phase === undefined) return false
  session.phase = phase
  return true
}

/** Whether the agent can't be asked for anything any more. */
export const isOver = (phase: SessionPhase): boolean => phase === "silent" || phase === "stopping" || phase === "ended"
