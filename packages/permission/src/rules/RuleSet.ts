/** Rules that are in force, made ready for many decisions. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as CommandPattern from "./CommandPattern.ts"
import * as PathPattern from "./PathPattern.ts"
import type { PlacedRule } from "./Rule.ts"
import type { Place } from "./Subject.ts"

export interface ReadyRule {
  readonly rule: PlacedRule
  /** It is about some agents, tools, servers or hosts only. */
  readonly isAboutSome: boolean
  readonly command: CommandPattern.CommandPattern | undefined
  /** The pattern of paths as it is written, alone in a list. */
  readonly written: readonly [PlacedPattern] | undefined
  /** Undefined: for ever. Milliseconds since 1970. */
  readonly endsAt: number | undefined
}

/** Rules for one place, and what is known of them from earlier requests. */
interface Prepared {
  /** The list as it was given last. */
  given: ReadonlyArray<PlacedRule>
  readonly rules: ReadonlyArray<PlacedRule>
  readonly home: string
  readonly project: string
  readonly ready: ReadonlyArray<ReadyRule>
  /** The rules that may be about a program, by its name. */
  readonly byProgram: Map<string, ReadonlyArray<ReadyRule>>
  /** The rules that are about more than commands. */
  readonly others: ReadonlyArray<ReadyRule>
}

/** A pattern of paths, and the text that each path begins with which is as it says. */
export interface PlacedPattern {
  readonly pattern: PathPattern.PathPattern
  readonly head: string
}

export interface RuleSet {
  /** The rules that may be about a command whose program has this name. Undefined: the name is not known. */
  readonly forProgram: (name: string | undefined) => ReadonlyArray<ReadyRule>
  /** The rules that may be about what is no command. */
  readonly others: ReadonlyArray<ReadyRule>
  /**
   * The patterns of paths of a rule; undefined if it has none. A rule that denies or asks has a second one if its first names are links:
   * what they lead to now. A rule that allows has none: whoever may change a link must not widen what is allowed.
   */
  readonly patternsOf: (ready: ReadyRule) => ReadonlyArray<PlacedPattern> | undefined
}

/**
 * Makes rules ready for one request. What does not change from request to request is kept.
 *
 * @param follow the path behind all links, for folders at the beginning of a pattern
 */
export const make = (
  rules: ReadonlyArray<PlacedRule>,
  place: Pick<Place, "home" | "project">,
  follow: (path: string) => string
): RuleSet => {
  const { byProgram, others, ready } = preparedFor(rules, place)
  const followed = new Map<ReadyRule, ReadonlyArray<PlacedPattern>>()
  return {
    others,
    forProgram: (name) => {
      if (name === undefined) return ready
      const known = byProgram.get(name)
      if (known !== undefined) return known
      if (byProgram.size >= mostPrograms) byProgram.clear()
      const found = ready.filter(({ command }) => command === undefined || CommandPattern.mayBegin(command, name))
      byProgram.set(name, found)
      return found
    },
    patternsOf: (one) => {
      if (one.written === undefined) return undefined
      if (one.rule.effect === "allow") return one.written
      const known = followed.get(one)
      if (known !== undefined) return known
      const patterns = withFollowed(one.written, follow)
      followed.set(one, patterns)
      return patterns
    }
  }
}

/** Names of programs that are kept, for one list of rules. */
const mostPrograms = 256

/** Lists of rules that are kept, each for one place. */
const mostKept = 16

const kept: Array<Prepared> = []

const preparedFor = (
  rules: ReadonlyArray<PlacedRule>,
  { home, project }: Pick<Place, "home" | "project">
): Prepared => {
  const at = kept.findIndex(
    (one) => one.home === home && one.project === project && (one.given === rules || isSame(one.rules, rules))
  )
  const [known] = at === -1 ? [] : kept.splice(at, 1)
  const prepared = known ?? prepare(rules, home, project)
  prepared.given = rules
  kept.unshift(prepared)
  if (kept.length > mostKept) kept.pop()
  return prepared
}

/** A file that is read again, and has not changed, has the same rules as before. */
const isSame = (one: ReadonlyArray<PlacedRule>, other: ReadonlyArray<PlacedRule>): boolean =>
  one.length === other.length && one.every((rule, index) => rule === other[index])

const prepare = (rules: ReadonlyArray<PlacedRule>, home: string, project: string): Prepared => {
  const ready = rules.map((rule): ReadyRule => {
    const { match, until } = rule
    const pattern =
      match.path === undefined
        ? undefined
        : PathPattern.of(match.path, { home, project, folder: rule.folder ?? project })
    const isLasting = until === undefined || until === "once" || until === "session"
    return {
      rule,
      isAboutSome: [match.agent, match.tool, match.server, match.host].some((member) => member !== undefined),
      command: match.command === undefined ? undefined : CommandPattern.of(match.command),
      written:
        pattern === undefined ? undefined : [{ pattern, head: `/${PathPattern.literalHead(pattern).join("/")}` }],
      endsAt: isLasting ? undefined : Date.parse(until)
    }
  })
  return {
    given: rules,
    rules: [...rules],
    home,
    project,
    ready,
    byProgram: new Map(),
    others: ready.filter(({ command }) => command === undefined)
  }
}

const withFollowed = (
  written: readonly [PlacedPattern],
  follow: (path: string) => string
): ReadonlyArray<PlacedPattern> => {
  const [{ head, pattern }] = written
  const real = follow(head)
  if (real === head) return written
  const names = real.split("/").filter((name) => name !== "")
  const { length } = PathPattern.literalHead(pattern)
  return [...written, { pattern: [...names, ...pattern.slice(length)], head: real }]
}

/** Whether a rule holds at a place and a time. */
export const holds = ({ endsAt, rule }: ReadyRule, place: Place): boolean => {
  if (endsAt !== undefined && place.now >= endsAt) return false
  const { folder, scope, source } = rule
  // A project's file can only narrow, and says nothing of other folders.
  if (source === "project" && (rule.effect === "allow" || !isWithin(folder ?? place.project, place.project)))
    return false
  if (scope === undefined || scope === "global") return true
  if (scope === "workspace") return isWithin(folder ?? place.project, place.project)
  if ("workspace" in scope) return isWithin(scope.workspace, place.project)
  if ("thread" in scope) return scope.thread === place.thread
  if ("session" in scope) return scope.session === place.session
  return scope.sessionKind === place.sessionKind
}
