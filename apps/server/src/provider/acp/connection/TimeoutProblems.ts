/** Explains what an agent did not do in time. */
import type { Evidence, Problem } from "@signalbox/contracts/Problem"
import { type ProviderError, providerError } from "../../../base/ProviderError.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import { type Heard, strayEvidence, strayWords } from "./LastWords.ts"

type Named = Pick<AgentProfile, "name">

/** The error for a start without progress. `waitingFor`: `launch`, or a method of the protocol. */
export const startTimeout = (
  profile: Named,
  waitingFor: string,
  seconds: number,
  { stderrLines, stderrTail, stray }: Heard
): ProviderError => {
  const launching = waitingFor === "launch"
  const what = launching ? "its program is not running yet" : `${waitingFor} is not answered`
  const words = strayWords(stray)
  return providerError(
    "agent-start-timeout",
    `${profile.name} did not start in time.`,
    `It showed no progress for ${seconds} s: ${what}.${words === undefined ? "" : ` ${words}`}`,
    {
      evidence: {
        ...(!launching && { method: waitingFor }),
        ...(stderrLines > 0 && { stderrLines, stderrTail }),
        ...strayEvidence(stray)
      },
      nextSteps: [{ action: "restart", label: "Start it again" }]
    }
  )
}

/** The error for a call outside of a start. */
export const callTimeout = (
  profile: Named,
  method: string,
  seconds: number,
  { stderrLines, stderrTail, stray }: Heard
): ProviderError =>
  providerError(
    "timed-out",
    `${profile.name} did not answer in time.`,
    `${method} is not answered after ${seconds} s.`,
    {
      evidence: { method, ...(stderrLines > 0 && { stderrLines, stderrTail }), ...strayEvidence(stray) },
      nextSteps: [{ action: "check-again", label: "Try it again" }]
    }
  )

/** The problem for a turn that continued after it was stopped. */
export const cancelTimeout = (name: string, seconds: number, evidence: Evidence): Problem => ({
  code: "cancel-timeout",
  title: `${name} did not stop when asked.`,
  cause: `It did not end the turn within ${seconds} s of being asked to. Its processes were ended and it was started again.`,
  evidence,
  nextSteps: []
})
