/** Why an agent was not started in its sandbox. There is never a start without it instead. */
import type { Evidence, NextStep } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"

const withoutSandbox: NextStep = {
  action: "run-command",
  label: 'Or let it run without a sandbox: "sandbox": false in its entry of the settings'
}

/** The machine has no sandbox that works. */
export const noSandbox = (cause: string, evidence: Evidence, steps: ReadonlyArray<NextStep>): Refused =>
  new Refused({
    problem: {
      code: "agent-start-failed",
      title: "The sandbox does not work here, so nothing was started.",
      cause,
      evidence,
      nextSteps: [...steps, withoutSandbox]
    }
  })

export const otherFolder: NextStep = { action: "choose-folder", label: "Choose another folder" }

/** A folder can't be guarded by a sandbox. */
export const unguarded = (cause: string, path: string, step: NextStep): Refused =>
  new Refused({
    problem: {
      code: "config-invalid",
      title: "The sandbox would not hold, so nothing was started.",
      cause,
      evidence: { path },
      nextSteps: [step, withoutSandbox]
    }
  })
