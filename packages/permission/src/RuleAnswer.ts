/** The answer that rules give to a request for permission, in place of people. */
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"
import type { RuleRef } from "@signalbox/contracts/Judgement"
import type { Decision } from "./rules/Decision.ts"
import { refOf } from "./rules/RuleNaming.ts"

export interface RuleAnswer {
  readonly optionId: string
  /** A sentence: which rule decided, and about what. */
  readonly why: string
  readonly rule?: RuleRef
}

/** `people`: a rule says that people are asked. Undefined: no rule says anything. */
export const of = (
  { commands, effect, paths, rule, why }: Decision,
  options: ReadonlyArray<ApprovalOption>
): RuleAnswer | "people" | undefined => {
  if (effect === "ask") return [...commands, ...paths, { effect, rule }].some(isAsked) ? "people" : undefined
  // An option that holds for good is for people to take.
  const kind = effect === "allow" ? "allow_once" : "reject_once"
  const option = options.find((one) => one.kind === kind)
  return option === undefined
    ? "people"
    : { optionId: option.optionId, why, ...(rule !== undefined && { rule: refOf(rule) }) }
}

/** Whether a rule has people asked, whatever else does, too. */
const isAsked = ({ effect, rule }: Pick<Decision, "effect" | "rule">): boolean => effect === "ask" && rule !== undefined
