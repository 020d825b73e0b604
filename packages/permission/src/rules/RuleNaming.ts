/** Names rules for people and records. */
import { canonicalJson } from "@signalbox/contracts/CanonicalJson"
import type { RuleRef } from "@signalbox/contracts/Judgement"
import type { Rule } from "@signalbox/contracts/Rule"
import { createHash } from "node:crypto"
import type { PlacedRule } from "./Rule.ts"
import { ruleText } from "./RuleWords.ts"

/** A digest of what a rule says: 16 hexadecimal digits. Its place in the file, its `why` and its examples don't count. */
const idOf = ({ effect, match, scope, until }: Rule): string =>
  createHash("sha256")
    .update(
      canonicalJson({ effect, match, ...(scope !== undefined && { scope }), ...(until !== undefined && { until }) })
    )
    .digest("hex")
    .slice(0, 16)

export const refOf = (rule: PlacedRule): RuleRef => {
  const { effect, file, line, number, source } = rule
  return {
    id: idOf(rule),
    effect,
    source,
    file,
    line,
    number,
    text: source === "built-in" ? (rule.why ?? "") : ruleText(rule)
  }
}
