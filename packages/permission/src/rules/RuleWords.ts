/** Says what a rule is in words, for people. */
import type { Match, Rule } from "@signalbox/contracts/Rule"
import type { PlacedRule } from "./Rule.ts"

/** The members of a match, in the order in which they are said. */
const members = ["command", "path", "kind", "tool", "server", "host", "agent"] as const

/** What a match covers, such as `command pnpm vitest **, agent cursor`. */
export const matchText = (match: Match): string => {
  const said = members.flatMap((name) => (match[name] === undefined ? [] : [`${name} ${match[name]}`]))
  return said.length === 0 ? "everything" : said.join(", ")
}

/** The place in which a rule holds, such as `in /home/me/project`. */
export const scopeText = ({ folder, scope, source }: Pick<PlacedRule, "folder" | "scope" | "source">): string => {
  const here = folder === undefined ? "in the session's folder" : `in ${folder}`
  if (scope === undefined || scope === "global") return source === "project" ? here : "everywhere"
  if (scope === "workspace") return here
  if ("workspace" in scope) return `in ${scope.workspace}`
  if ("thread" in scope) return `in thread ${scope.thread}`
  return "session" in scope ? `in session ${scope.session}` : `in sessions of kind ${scope.sessionKind}`
}

/** What ends a rule, to stand behind *until*. */
export const endText = ({ until }: Pick<Rule, "until">): string => {
  if (until === undefined) return "you remove it"
  if (until === "once") return "used once"
  return until === "session" ? "the session ends" : until
}

/** A whole rule on one line, such as `deny path ~/.ssh/**, everywhere`. */
export const ruleText = (rule: PlacedRule): string => {
  const end = rule.until === undefined ? "" : `, until ${endText(rule)}`
  return `${rule.effect} ${matchText(rule.match)}, ${scopeText(rule)}${end}`
}
