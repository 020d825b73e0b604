/** The end of a run whose time is up. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"

/** The problem of a run that exceeded its time. `waitsFor`: what the run was waiting for, as a sentence. */
export const overdue = (timeoutMs: number, waitsFor: string): Problem => ({
  code: "timed-out",
  title: `Timed out after ${timeoutMs / 1000} s.`,
  cause: waitsFor,
  evidence: {},
  nextSteps: [{ action: "run-command", label: "Run it again with a longer --timeout" }]
})

/** Gives the turn's end this problem as its reason. Appends a problem that came up while the turn was stopped. */
export const because = (
  problem: Problem,
  event: RuntimeEventOf<"turn.completed">
): RuntimeEventOf<"turn.completed"> => {
  const { outcome, problem: other } = event
  // The turn completed before we could stop it.
  if (outcome === "completed") return event
  if (other === undefined) return { ...event, problem }
  const cause = `${problem.cause}\n${other.title} ${other.cause}`
  return { ...event, problem: { ...problem, cause, evidence: other.evidence } }
}
