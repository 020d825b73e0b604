/** What the rules made of a part of a request, in few words. The whole sentence is in `Why was I asked?`. */
import { type Judgement, noRuleMatches } from "@signalbox/contracts/Judgement"
import { ruleName } from "../text/ruleWords.ts"

type Verdict = Pick<Judgement, "effect" | "rule" | "why">

const verbs = { allow: "allows it", ask: "asks", deny: "denies it" } as const

/** "No rule matches.", "Rule 4 asks.", or the sentence of the rules where it says more than that. */
export const verdictWords = ({ effect, rule, why }: Verdict): string => {
  if (rule === undefined) return why.startsWith(noRuleMatches) ? `${noRuleMatches}.` : why
  return rule.source === "built-in" || rule.effect !== effect ? why : `${ruleName(rule)} ${verbs[effect]}.`
}
