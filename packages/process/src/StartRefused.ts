/** Makes the refusal to start a program, as people are told of it. */
import type { Evidence, NextStep, ProblemCode } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"

export const refused = (
  code: ProblemCode,
  title: string,
  cause: string,
  more: { readonly evidence: Evidence; readonly nextSteps: ReadonlyArray<NextStep> }
): Refused => new Refused({ problem: { code, title, cause, ...more } })
