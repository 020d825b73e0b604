/** The end of a run whose time is up. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"

/** `waitsFor`: what the run was at, as a sentence. */
export const overdue = (timeoutMs: number, waitsFor: string): Problem => ({
  code: "timed-out",
  title: `Timed out after ${timeoutMs / 1000} s.`,
  cause: waitsFor,
  evidence: {},
  nextSteps: [{ action: "run-command", label: "Run it again with a longer --timeout" }]
})

/** The turn's end with the reason for it. What else went wrong while it was stopped is told as well. */
export const because = (
  problem: Problem,
  event: RuntimeEventOf<"turn.completed">
): RuntimeEventOf<"turn.completed"> => {
  const { outcome, problem: other } = event
  // It was faster than we were.
  if (outcome === "completed") return event
  if (other === undefined) return { ...event, problem }
  const cause = `${problem.cause}\n${other.title} ${other.cause}`
  return { ...event, problem: { ...problem, cause, evidence: other.evidence } }
}
