/** The error of all calls to agents. Its `Problem` explains the reason to people. */
import type { Evidence, NextStep, Problem, ProblemCode } from "@signalbox/contracts/Problem"
import { Problem as ProblemSchema, sentencesOf } from "@signalbox/contracts/Problem"
import * as Schema from "effect/Schema"

/** A failure that callers can act on by `problem.code`, and that people can read. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  problem: ProblemSchema
}) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}

/** Makes a `ProviderError` from the parts of its problem. */
export const providerError = (
  code: ProblemCode,
  title: string,
  cause: string,
  more: { readonly evidence?: Evidence; readonly nextSteps?: ReadonlyArray<NextStep> } = {}
): ProviderError => {
  const problem: Problem = { code, title, cause, evidence: more.evidence ?? {}, nextSteps: more.nextSteps ?? [] }
  return new ProviderError({ problem })
}

/** Makes one of another error that carries a problem. */
export const providerErrorOf = ({ problem }: { readonly problem: Problem }): ProviderError =>
  new ProviderError({ problem })
