/** Whether a rule decides anything where it stands. */
import type { RuleState } from "@signalbox/contracts/Rules"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import type { RulesFile } from "./RulesFiles.ts"

/**
 * The state of a rule of a file.
 *
 * @param used the rules for one request that had theirs
 * @param now milliseconds since 1970
 */
export const of = (
  rule: PlacedRule,
  { state }: Pick<RulesFile, "state">,
  used: ReadonlySet<PlacedRule>,
  now: number
): RuleState => {
  const { effect, source, until } = rule
  if (state === "untrusted") return "untrusted"
  if (source === "project" && effect === "allow") return "ignored"
  if (used.has(rule)) return "used"
  const isOver = until !== undefined && until !== "once" && until !== "session" && Date.parse(until) <= now
  return isOver ? "over" : "in-force"
}
