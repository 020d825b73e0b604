/** How long rules hold, by a clock that people and networks may set back. */
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RuleNaming from "@signalbox/permission/rules/RuleNaming"

export interface RuleTimes {
  /**
   * Leaves out rules that can't be held to any more.
   *
   * @param now milliseconds since 1970
   */
  readonly left: (rules: ReadonlyArray<PlacedRule>, now: number) => ReadonlyArray<PlacedRule>
}

/** A rule that allows something stays over once its time was over. One that denies or asks goes by the clock alone. */
export const make = (): RuleTimes => {
  const over = new Set<string>()

  const isOver = (rule: PlacedRule, now: number): boolean => {
    if (rule.effect !== "allow" || rule.until === undefined || rule.until === "once") return false
    if (rule.until === "session") return !hasSession(rule)
    const key = `${rule.file}\0${RuleNaming.refOf(rule).id}`
    if (Date.parse(rule.until) <= now) over.add(key)
    return over.has(key)
  }

  return { left: (rules, now) => rules.filter((rule) => !isOver(rule, now)) }
}

/** Nobody can say which session a rule means that names none. */
const hasSession = ({ scope }: PlacedRule): boolean => typeof scope === "object" && "session" in scope
