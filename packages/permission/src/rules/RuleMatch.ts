/** Whether a rule is about one piece of a request. */
import type { Word } from "../shell/ShellReading.ts"
import * as CommandPattern from "./CommandPattern.ts"
import * as PathPattern from "./PathPattern.ts"
import type { ReadyRule } from "./RuleSet.ts"
import type { CommandPart, NamedPath, Subject } from "./Subject.ts"
import * as TextPattern from "./TextPattern.ts"

/** What is judged by itself: a simple command, a path, or a request that has neither. */
export type Piece =
  | { readonly type: "command"; readonly command: CommandPart }
  | { readonly type: "path"; readonly kind: string; readonly path: NamedPath }
  | { readonly type: "request"; readonly kind: string }

/** `maybe`: that depends on what is known at run time only. */
export type Match = CommandPattern.Match

/** Kinds of calls that an argument of a program may amount to. */
const fileKinds = ["read", "search", "edit", "delete", "move"]

const both = (one: Match, other: Match): Match =>
  one === "no" || other === "no" ? "no" : one === "yes" && other === "yes" ? "yes" : "maybe"

const any = (matches: ReadonlyArray<Match>): Match =>
  matches.includes("yes") ? "yes" : matches.includes("maybe") ? "maybe" : "no"

const isText = (pattern: string | undefined, text: string | undefined): boolean =>
  pattern === undefined || (text !== undefined && TextPattern.matches(pattern, text))

export const of = (ready: ReadyRule, subject: Subject, piece: Piece): Match => {
  const { agent, host, server, tool } = ready.rule.match
  const isAbout =
    isText(agent, subject.agent) &&
    isText(tool, subject.tool) &&
    isText(server, subject.server) &&
    isText(host?.toLowerCase(), subject.host?.toLowerCase())
  if (!isAbout) return "no"
  if (piece.type === "command") return ofCommand(ready, piece.command)
  if (ready.command !== undefined || !isText(ready.rule.match.kind, piece.kind)) return "no"
  if (ready.paths === undefined) return "yes"
  if (piece.type === "path") return ofPath(ready, ready.paths, piece.path)
  return ready.rule.effect === "allow" ? "no" : "maybe"
}

const ofCommand = ({ command, paths, rule }: ReadyRule, part: CommandPart): Match => {
  const { effect, match } = rule
  const words = command === undefined ? "yes" : CommandPattern.match(command, part.words)
  if (words === "no") return "no"
  const isExecution = isText(match.kind, "execute")
  // What a program does with a path that it is given, nobody knows.
  const kind = isExecution
    ? "yes"
    : paths !== undefined && fileKinds.some((name) => isText(match.kind, name))
      ? "maybe"
      : "no"
  if (kind === "no") return "no"
  if (paths === undefined) return words
  const named = effect === "allow" ? part.paths.filter(({ isDoubtful }) => isDoubtful === undefined) : part.paths
  const found = (named.length === 0 ? [part.folder] : named).map((path): Match => ofPath({ rule }, paths, path))
  if (effect !== "allow") return both(both(words, kind), any(found))
  // A rule about paths alone is about files, and allows no program.
  const isCovered = command !== undefined && isExecution && found.every((one) => one === "yes")
  return isCovered ? words : "no"
}

const ofPath = (
  { rule }: Pick<ReadyRule, "rule">,
  patterns: ReadonlyArray<PathPattern.PathPattern>,
  { below, leadsTo, said }: NamedPath
): Match => {
  if (rule.effect === "allow") {
    if (leadsTo === null) return "no"
    const isCovered = (pattern: PathPattern.PathPattern) =>
      PathPattern.matches(pattern, leadsTo) && (below === undefined || pattern.at(-1) === "**")
    return patterns.some(isCovered) ? "yes" : "no"
  }
  const places = [said, leadsTo].filter((place) => place !== null)
  if (places.some((place) => patterns.some((pattern) => PathPattern.matches(pattern, place)))) return "yes"
  if (leadsTo === null) return "maybe"
  const mayBe = (place: string) => patterns.some((pattern) => PathPattern.mayMatchBelow(pattern, place, below ?? []))
  return below !== undefined && places.some(mayBe) ? "maybe" : "no"
}

/** Whether every word is known. */
export const areKnown = (words: ReadonlyArray<Word>): boolean => words.every(({ type }) => type !== "unknown")
