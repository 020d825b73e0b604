/** Makes the error for a program that could not start, as people see it. */
import type { Evidence, NextStep, ProblemCode } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"

export const refused = (
  code: ProblemCode,
  title: string,
  cause: string,
  more: { readonly evidence: Evidence; readonly nextSteps: ReadonlyArray<NextStep> }
): Refused => new Refused({ problem: { code, title, cause, ...more } })
