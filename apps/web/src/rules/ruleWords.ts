/** Rules in words. */
import type { Rule } from "@signalbox/contracts/Rule"
import type { ListedRule, RulesFileReport, RuleState } from "@signalbox/contracts/Rules"
import { inText, revealAll } from "@signalbox/contracts/Invisible"

export const untilWords = ({ until }: Pick<Rule, "until">): string => {
  if (until === undefined) return "you remove it"
  if (until === "once") return "it is used once"
  return until === "session" ? "the session ends" : until
}

export const stateWords: Readonly<Record<RuleState, string>> = {
  "in-force": "in force",
  untrusted: "not trusted, so it does nothing",
  ignored: "ignored: a project can’t allow",
  over: "its time is over",
  used: "used already"
}

export const fileWords = ({ refusal, rules, state, trust }: RulesFileReport): string => {
  switch (state) {
    case "missing":
      return "There is no such file yet. The first rule makes it."
    case "unreadable":
      return `It can’t be read${refusal === undefined ? "" : `: ${plainPath(refusal)}`}.`
    case "faulty":
      return "It has a fault, so it is not in force as it is now."
    case "untrusted":
      return trust === "changed"
        ? "It has changed since you trusted it. Its rules do nothing until you trust it again."
        : "You have not trusted this project. Its rules do nothing."
    case "in-force":
      return rules.length === 0 ? "It has no rules yet." : "In force."
  }
}

/** What a rule did not say is not in its JSON. */
export const jsonOf = (rule: Rule): string => JSON.stringify(rule, null, 2)

export const plainPath = (path: string): string => inText(revealAll(path))

/** Several rules may stand on one line. */
export const keyOf = ({ ref: { file, number } }: Pick<ListedRule, "ref">): string => `${number} ${file}`
