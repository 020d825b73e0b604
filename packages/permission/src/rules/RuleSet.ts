/** Rules that are in force, made ready for many decisions. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as CommandPattern from "./CommandPattern.ts"
import * as PathPattern from "./PathPattern.ts"
import type { PlacedRule } from "./Rule.ts"
import type { Place } from "./Subject.ts"

export interface ReadyRule {
  readonly rule: PlacedRule
  readonly command: CommandPattern.CommandPattern | undefined
  /**
   * The pattern as it is written. A rule that denies or asks has a second one if its first names are links: what they lead to. A rule that
   * allows has none: whoever may change a link must not widen what is allowed.
   */
  readonly paths: ReadonlyArray<PathPattern.PathPattern> | undefined
  /** Undefined: for ever. Milliseconds since 1970. */
  readonly endsAt: number | undefined
}

export interface RuleSet {
  readonly rules: ReadonlyArray<ReadyRule>
}

/**
 * Makes rules ready for one folder of a session.
 *
 * @param follow the path behind all links, for folders at the beginning of a pattern
 */
export const make = (
  rules: ReadonlyArray<PlacedRule>,
  { home, project }: Pick<Place, "home" | "project">,
  follow: (path: string) => string
): RuleSet => ({
  rules: rules.map((rule) => ({
    rule,
    command: rule.match.command === undefined ? undefined : CommandPattern.of(rule.match.command),
    paths:
      rule.match.path === undefined
        ? undefined
        : patternsOf(
            rule.match.path,
            { home, project, folder: rule.folder ?? project },
            rule.effect === "allow" ? (path) => path : follow
          ),
    endsAt:
      rule.until === undefined || rule.until === "once" || rule.until === "session" ? undefined : Date.parse(rule.until)
  }))
})

const patternsOf = (
  text: string,
  bases: PathPattern.Bases,
  follow: (path: string) => string
): ReadonlyArray<PathPattern.PathPattern> => {
  const written = PathPattern.of(text, bases)
  const head = PathPattern.literalHead(written)
  const said = `/${head.join("/")}`
  const real = follow(said)
  if (real === said) return [written]
  return [written, [...real.split("/").filter((name) => name !== ""), ...written.slice(head.length)]]
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
