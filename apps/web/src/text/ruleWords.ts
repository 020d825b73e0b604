/** The name of a rule, and where it stands. */
import type { RuleRef } from "@signalbox/contracts/Judgement"

/** "Rule 4", "Rule 1 of the project" */
export const ruleName = ({ number, source }: Pick<RuleRef, "number" | "source">): string => {
  if (source === "built-in") return "A built-in rule"
  return source === "project" ? `Rule ${number} of the project` : `Rule ${number}`
}

/** "rules.json:12", with the whole path. Undefined for a built-in rule. */
export const rulePlace = ({ file, line, source }: RuleRef): string | undefined =>
  source === "built-in" ? undefined : `${file}:${line}`
