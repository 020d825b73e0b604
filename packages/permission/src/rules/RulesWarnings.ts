/** Finds rules that are permitted in a file, and that are hardly meant as they are written. */
import { canonicalJson } from "@signalbox/contracts/CanonicalJson"
import type { JsonPath } from "@signalbox/contracts/JsonIssues"
import type { RuleEffect } from "@signalbox/contracts/Judgement"
import type { PlacedRule } from "./Rule.ts"

export interface RuleWarning {
  /** The place of the rule among the rules of its file, from 1. */
  readonly number: number
  /** The members that lead to what is meant, from the rule on. */
  readonly path: JsonPath
  /** A sentence without its full stop. */
  readonly message: string
}

/**
 * Warnings about the rules of one file.
 *
 * @param now milliseconds since 1970
 */
export const of = (rules: ReadonlyArray<PlacedRule>, now: number): ReadonlyArray<RuleWarning> => {
  const like = likeEarlier()
  return rules.flatMap((rule) =>
    [ignored(rule), wide(rule), everywhere(rule), over(rule, now), ofNoSession(rule), joined(rule), like(rule)].flatMap(
      (found) => (found === undefined ? [] : [{ number: rule.number, ...found }])
    )
  )
}

type Found = Omit<RuleWarning, "number">

const ignored = ({ effect, source }: PlacedRule): Found | undefined =>
  source === "project" && effect === "allow"
    ? { path: ["effect"], message: "It is ignored: the file of a project can only deny or ask" }
    : undefined

/** The members that say what is requested, and the texts in them that leave nothing out. */
const subjects = {
  command: /^(?:\*+\s+)*\*\*$/,
  path: /^\/?\*\*$/,
  kind: /^\*+$/,
  tool: /^\*+$/,
  server: /^\*+$/,
  host: /^\*+$/
} as const

const verbs: Readonly<Record<RuleEffect, string>> = { allow: "allows", deny: "denies", ask: "asks about" }

const wide = ({ effect, match }: PlacedRule): Found | undefined => {
  const given = (["command", "path", "kind", "tool", "server", "host"] as const).filter(
    (name) => match[name] !== undefined
  )
  if (given.some((name) => !subjects[name].test(match[name] ?? ""))) return undefined
  const what = given.includes("command") ? "every command" : given.includes("path") ? "every file" : "everything"
  const whose = match.agent === undefined || /^\*+$/.test(match.agent) ? "" : ` of the agent ${match.agent}`
  const like = effect === "allow" ? ", like the profile bypass" : ""
  return { path: ["match"], message: `It ${verbs[effect]} ${what}${whose}${like}` }
}

const ofNoSession = ({ effect, scope, until }: PlacedRule): Found | undefined =>
  effect === "allow" && until === "session" && !(typeof scope === "object" && "session" in scope)
    ? {
        path: ["until"],
        message: "It allows nothing: a rule up to the end of a session has to name the session in its scope"
      }
    : undefined

const everywhere = ({ folder, scope }: PlacedRule): Found | undefined =>
  scope === "workspace" && folder === undefined
    ? {
        path: ["scope"],
        message: 'It holds everywhere: this file belongs to no folder. Write { "workspace": "/the/folder" }'
      }
    : undefined

const over = ({ until }: PlacedRule, now: number): Found | undefined =>
  until === undefined || until === "once" || until === "session" || Date.parse(until) > now
    ? undefined
    : { path: ["until"], message: "Its time is over, so it holds no longer" }

const quoted = /"[^"]*"|'[^']*'/g

/** Words that a shell takes for itself, unless they are quoted. */
const operator = /^(?:[|&;]+|(?:\d+|&)?[<>].*|.+[|;&]|.*(?:\$\(|`).*)$/

const joined = ({ match: { command = "" } }: PlacedRule): Found | undefined => {
  const sign = command
    .replaceAll(quoted, "")
    .split(/\s+/)
    .find((word) => operator.test(word))
  return sign === undefined
    ? undefined
    : {
        path: ["match", "command"],
        message: `It never matches: ${sign} is for the shell, and each command of a line is judged alone. Write one rule for each command`
      }
}

const strictness: Readonly<Record<RuleEffect, number>> = { allow: 0, ask: 1, deny: 2 }

/** Returns a function that compares each rule with those before it. */
const likeEarlier = () => {
  const earlier = new Map<string, Map<RuleEffect, PlacedRule>>()
  const repeated = new Map<string, PlacedRule>()
  return (rule: PlacedRule): Found | undefined => {
    const { effect, match, scope = "global", until = "" } = rule
    const about = canonicalJson({ match, scope })
    const whole = canonicalJson({ about, effect, until })
    const same = repeated.get(whole)
    if (same !== undefined) return { path: [], message: `It repeats ${nameOf(same)}` }
    repeated.set(whole, rule)
    const others = earlier.get(about) ?? new Map<RuleEffect, PlacedRule>()
    earlier.set(about, others)
    const other = [...others.values()].find((one) => one.effect !== effect)
    if (!others.has(effect)) others.set(effect, rule)
    if (other === undefined) return undefined
    const winner = strictness[effect] > strictness[other.effect] ? effect : other.effect
    return { path: ["effect"], message: `It contradicts ${nameOf(other)}, which has the same match. ${winner} wins` }
  }
}

const nameOf = ({ line, number }: PlacedRule): string => `rule ${number} in line ${line}`
