/** Explains errors between a thread and its agent that no adapter reports. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { StorageError } from "../storage/StorageError.ts"
import { ProviderError, providerError } from "../base/ProviderError.ts"

/** The problem for any failure, defects included. */
export const problemOf = (cause: Cause.Cause<unknown>): Problem => {
  const thrown = Cause.squash(cause)
  if (thrown instanceof ProviderError) return thrown.problem
  if (thrown instanceof StorageError)
    return {
      ...thrown.problem,
      nextSteps: [...thrown.problem.nextSteps, { action: "send-again", label: "Then try it again" }]
    }
  return {
    code: "internal",
    title: "Something went wrong inside Signalbox.",
    cause: thrown instanceof Error ? thrown.message : String(thrown),
    evidence: {},
    nextSteps: [{ action: "send-again", label: "Try it again" }]
  }
}

/** Reports every failure, defects included. An interruption is none, since the server is ending. */
export const reporting =
  (report: (problem: Problem) => Effect.Effect<unknown>) =>
  <E>(effect: Effect.Effect<void, E>): Effect.Effect<void> =>
    Effect.catchCause(effect, (cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.asVoid(report(problemOf(cause)))
    )

/** Somebody stopped the session before it had started. */
export const stoppedMeanwhile = (head: ThreadHead): Problem => ({
  code: "agent-start-failed",
  title: `${head.provider.name} was not started.`,
  cause: "The session was stopped before it was ready.",
  evidence: {},
  nextSteps: [{ action: "restart", label: "Start it again" }]
})

/** Nobody needs the session any more, and it had not started yet. */
export const takenBack = (head: ThreadHead): ProviderError =>
  providerError(
    "agent-start-failed",
    `${head.provider.name} was not started.`,
    "Its prompt was taken back while it waited for other agents to start.",
    { nextSteps: [{ action: "restart", label: "Start it" }] }
  )

/** The agent ended before it saw a prompt, and returned without the prompt's session. */
export const forgotten = (head: ThreadHead): Problem => ({
  code: "session-not-found",
  title: `Not sent: ${head.provider.name} has lost the session.`,
  cause:
    "It ended before it saw this prompt. It was started again in a new session that knows nothing of what was said.",
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Send it again: you choose how it goes on" }]
})

/** The agent never reported the end of its turn. */
export const endless = (head: ThreadHead): Problem => ({
  code: "protocol-violation",
  title: `${head.provider.name} ended this turn without a result.`,
  cause: "Its session took the prompt and came back, but never said how the turn ended.",
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Send it again" }]
})
