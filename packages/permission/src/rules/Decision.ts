/**
 * Decides what becomes of a request. Each piece of it is judged by itself: every simple command, every file that the shell opens, every path.
 * The strictest verdict counts: `deny` beats `ask`, and `ask` beats `allow`. Where no rule matches, people are asked.
 */
import { noRuleMatches, type RuleEffect } from "@signalbox/contracts/Judgement"
import { isLoopback } from "./LeavesMachine.ts"
import type { PlacedRule } from "./Rule.ts"
import * as RuleMatch from "./RuleMatch.ts"
import * as RuleSet from "./RuleSet.ts"
import type { CommandPart, NamedPath, Subject } from "./Subject.ts"

/** What decided: a rule of a file, or a built-in one. Undefined: nothing did. */
export type Ground = PlacedRule | undefined

export interface Verdict {
  readonly effect: RuleEffect
  readonly rule: Ground
  /** A sentence. */
  readonly why: string
}

export interface Decision extends Verdict {
  /** Whether all that the request would run is known. */
  readonly inspectable: boolean
  /** What was judged. Absent if it could not be read. */
  readonly subject?: Subject
  /** Sentences: why it is not. */
  readonly obstacles: ReadonlyArray<string>
  /** A clause: how the request itself may leave this machine. */
  readonly leaves?: string
  readonly commands: ReadonlyArray<Verdict & { readonly command: CommandPart }>
  readonly paths: ReadonlyArray<Verdict & { readonly path: NamedPath }>
}

const strictness: Readonly<Record<RuleEffect, number>> = { allow: 0, ask: 1, deny: 2 }

/** The first of the strictest. */
const strictest = (verdicts: ReadonlyArray<Verdict>): Verdict | undefined =>
  verdicts.reduce<Verdict | undefined>(
    (worst, verdict) =>
      worst === undefined || strictness[verdict.effect] > strictness[worst.effect] ? verdict : worst,
    undefined
  )

export const of = (rules: RuleSet.RuleSet, subject: Subject): Decision => {
  const judge = (piece: RuleMatch.Piece, name: string) => verdictOf(rules, subject, piece, name)
  const commands = (subject.commands ?? []).map((command) => ({ command, ...ofCommand(command, judge) }))
  const isCommand = subject.commands !== undefined
  const limits = commands.flatMap(({ rule }) =>
    rule?.effect === "allow" && rule.match.path !== undefined ? [rule] : []
  )
  const limiting = limits.length === 0 ? [] : rules.forProgram(undefined).filter(({ rule }) => limits.includes(rule))
  /** A command may read from the shell what it may read by name: see the paths of the rules that allow it. */
  const mayRead = (path: NamedPath) => limiting.every((ready) => RuleMatch.covers(ready, path, rules.patternsOf))
  const paths = subject.paths.map((path) => ({
    path,
    ...ofPath(path, isCommand ? mayRead : subject.kind, judge)
  }))
  const isRequest = subject.server !== undefined || subject.host !== undefined || (!isCommand && paths.length === 0)
  const others = !isRequest ? [] : [judge({ type: "request", kind: subject.kind }, "this request")]
  const obstacles = subject.obstacles.map(({ text, why }): Verdict => ({
    effect: "ask",
    rule: undefined,
    why: `Nobody can say what ${quoted(text)} does: it ${why}.`
  }))
  // A rule about the request counts before what nobody can see through, which a bypass passes over.
  const ruled = others.filter((verdict) => verdict.rule !== undefined)
  const worst = strictest([...ruled, ...obstacles, ...commands, ...paths, ...others]) ?? nothing
  const { effect, rule, why } = worst
  const leaves = leavesOf(subject)
  return {
    effect,
    rule,
    why,
    inspectable: obstacles.length === 0,
    obstacles: obstacles.map(({ why }) => why),
    ...(leaves !== undefined && { leaves }),
    subject,
    commands,
    paths
  }
}

/** What an MCP server does with what it gets, nobody here knows. */
const leavesOf = ({ host, server }: Subject): string | undefined => {
  if (server !== undefined) return "the MCP server may pass on what it gets"
  return host === undefined || isLoopback(host) ? undefined : `goes to ${host}`
}

const nothing: Verdict = { effect: "ask", rule: undefined, why: "There is no command." }

type Judge = (piece: RuleMatch.Piece, name: string) => Verdict

const ofCommand = (command: CommandPart, judge: Judge): Verdict => {
  const name = quoted(command.text)
  const byRule = judge({ type: "command", command }, name)
  const guarded = command.paths.flatMap(guardOf)
  const doubts = byRule.effect === "allow" ? doubtsOf(command, name) : []
  return strictest([...guarded, ...doubts, byRule]) ?? byRule
}

/** Why nobody but a person can allow a command that a rule allows. */
const doubtsOf = ({ isInside, words }: CommandPart, name: string): ReadonlyArray<Verdict> => {
  const because = (why: string): Verdict => ({ effect: "ask", rule: undefined, why })
  if (!RuleMatch.areKnown(words) && !onlyPrintsNumbers(words))
    return [because(`A word of ${name} is known only when it runs.`)]
  if (isInside === true) return []
  return [
    because(
      isInside === null ? `The folder of ${name} is known only when it runs.` : `${name} runs outside the project.`
    )
  ]
}

/** Whether a command only prints, and what is unknown of it are numbers, such as the last status. */
const onlyPrintsNumbers = ([program, ...args]: CommandPart["words"]): boolean =>
  program?.type === "literal" &&
  (program.value === "echo" || program.value === "printf") &&
  args.every((word) => word.type !== "unknown" || word.isNumber === true)

/**
 * Judges a file.
 *
 * @param use the kind of the request. If the shell opens the file for a command: whether the command may read it
 */
const ofPath = (path: NamedPath, use: string | ((path: NamedPath) => boolean), judge: Judge): Verdict => {
  const isRead = typeof use !== "string" && path.access === "read"
  const kind = typeof use === "string" ? use : isRead ? "read" : "edit"
  const verdict = judge({ type: "path", kind, path }, quoted(path.path))
  const isFree = isRead && verdict.effect === "ask" && verdict.rule === undefined && use(path)
  const byRule = isFree ? { ...verdict, ...readFreely } : verdict
  return strictest([...guardOf(path), byRule]) ?? byRule
}

const readFreely = { effect: "allow", why: "The command reads it." } as const

const guardOf = ({ guard }: NamedPath): ReadonlyArray<Verdict> =>
  guard === undefined ? [] : [{ effect: guard.effect, rule: builtIn(guard.effect, guard.why), why: guard.why }]

const builtIn = (effect: RuleEffect, why: string): PlacedRule => ({
  effect,
  match: {},
  why,
  source: "built-in",
  file: "",
  line: 0,
  number: 0,
  folder: undefined
})

/** The rules that may be about a piece. */
const candidates = (rules: RuleSet.RuleSet, piece: RuleMatch.Piece): ReadonlyArray<RuleSet.ReadyRule> => {
  if (piece.type !== "command") return rules.others
  const [program] = piece.command.words
  return rules.forProgram(program?.type === "literal" ? program.value : undefined)
}

/** Judges one piece by the rules alone. */
const verdictOf = (rules: RuleSet.RuleSet, subject: Subject, piece: RuleMatch.Piece, name: string): Verdict => {
  let asks: Verdict | undefined
  let allows: Verdict | undefined
  for (const ready of candidates(rules, piece)) {
    const { effect } = ready.rule
    if ((effect === "allow" && (allows ?? asks) !== undefined) || (effect === "ask" && asks?.rule !== undefined))
      continue
    const match = RuleMatch.of(ready, subject, piece, rules.patternsOf)
    if (match === "no" || (match === "maybe" && effect === "allow") || !RuleSet.holds(ready, subject.place)) continue
    const { rule } = ready
    if (effect === "deny" && match === "yes") return { effect, rule, why: `${nameOf(rule)} denies ${name}.` }
    if (effect === "deny")
      asks ??= { effect: "ask", rule, why: `${nameOf(rule)} may deny ${name}: that shows when it runs.` }
    else if (effect === "ask") asks ??= { effect, rule, why: `${nameOf(rule)} asks about ${name}.` }
    else allows ??= { effect, rule, why: `${nameOf(rule)} allows ${name}.` }
  }
  return asks ?? allows ?? { effect: "ask", rule: undefined, why: `${noRuleMatches} ${name}.` }
}

/** Names a rule within a sentence. */
export const nameOf = ({ file, number, source }: PlacedRule): string => {
  if (source === "built-in") return "A built-in rule"
  if (file === "") return "A rule of this session"
  return source === "project" ? `Rule ${number} of the project` : `Rule ${number}`
}

const longest = 80

const quoted = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length <= longest ? line : `${line.slice(0, longest)}…`
}
