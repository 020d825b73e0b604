/** The exit codes of `signalbox`, for programs that call it. The numbers are a contract. */
import { stateInUse } from "@signalbox/attach/ServeExit"
import type { Problem } from "@signalbox/contracts/Problem"
import type { TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"

export const ExitCode = {
  completed: 0,
  failed: 1,
  usage: 2,
  cancelled: 3,
  /** The agent refused, or stopped at its own limit or at a limit of the account. */
  refusedOrLimited: 4,
  /** `nes try`: the agent suggests nothing. */
  nothingSuggested: 4,
  authRequired: 5,
  timedOut: 6,
  /** Another Signalbox server is using the state folder. */
  stateInUse
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export const ofProblem = (problem: Problem): ExitCode => {
  if (problem.code === "auth-required") return ExitCode.authRequired
  return problem.code === "usage-limit" ? ExitCode.refusedOrLimited : ExitCode.failed
}

export const ofOutcome = (outcome: TurnOutcome, problem: Problem | undefined): ExitCode => {
  switch (outcome) {
    case "completed":
      return ExitCode.completed
    case "cancelled":
      return ExitCode.cancelled
    case "refused":
    case "limited":
      return ExitCode.refusedOrLimited
    case "failed":
      return problem === undefined ? ExitCode.failed : ofProblem(problem)
  }
}
