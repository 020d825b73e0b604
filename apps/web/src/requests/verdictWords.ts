/** What the rules made of a part of a request, in few words. The whole sentence is in `Why was I asked?`. */
import { type Judgement, noRuleMatches, type RuleRef } from "@signalbox/contracts/Judgement"

type Verdict = Pick<Judgement, "effect" | "rule" | "why">

const verbs = { allow: "allows it", ask: "asks", deny: "denies it" } as const

/** "No rule matches.", "Rule 4 asks.", or the sentence of the rules where it says more than that. */
export const verdictWords = ({ effect, rule, why }: Verdict): string => {
  if (rule === undefined) return why.startsWith(noRuleMatches) ? `${noRuleMatches}.` : why
  return rule.source === "built-in" || rule.effect !== effect ? why : `${ruleName(rule)} ${verbs[effect]}.`
}

/** "Rule 4", "Rule 1 of the project" */
const ruleName = ({ number, source }: Pick<RuleRef, "number" | "source">): string => {
  if (source === "built-in") return "A built-in rule"
  return source === "project" ? `Rule ${number} of the project` : `Rule ${number}`
}

/** "rules.json:12", with the whole path. Undefined for a built-in rule. */
export const rulePlace = ({ file, line, source }: RuleRef): string | undefined =>
  source === "built-in" ? undefined : `${file}:${line}`
