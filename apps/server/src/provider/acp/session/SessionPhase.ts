/**
 * The life of a session at its adapter, as one table: `starting → ready ⇄ refused, lost → silent → stopping → ended`. A signal changes the
 * phase, so that no session leaves its end, and every other session can reach it.
 */

/**
 * `starting`: nobody has heard of it · `ready`: it takes prompts · `refused`: its last turn failed because a sign-in is missing · `lost`: the
 * agent does not know the session any more · `silent`: the agent's output has ended · `stopping`: we end it · `ended`: its end is reported.
 */
export type SessionPhase = "starting" | "ready" | "refused" | "lost" | "silent" | "stopping" | "ended"

/**
 * `announced`: its start is reported · `refused`, `forgotten`: the agent asked for a sign-in, or did not know the session · `accepted`: a turn
 * ended without either · `silenced`: its output has ended · `stopped`: we begin to end it · `reported`: its end is reported now.
 */
export type SessionSignal = "announced" | "accepted" | "refused" | "forgotten" | "silenced" | "stopped" | "reported"

type Moves = Readonly<Partial<Record<SessionSignal, SessionPhase>>>

/** Moves towards the end, open to each phase in which the agent can still be called. */
const endings: Moves = { silenced: "silent", stopped: "stopping" }

/** The phase after each signal. A signal that is missing changes nothing. */
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
