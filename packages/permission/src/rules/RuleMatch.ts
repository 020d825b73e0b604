/** Whether a rule is about one piece of a request. */
import { isWithin } from "@signalbox/contracts/Paths"
import type { Word } from "../shell/ShellReading.ts"
import * as CommandPattern from "./CommandPattern.ts"
import * as PathPattern from "./PathPattern.ts"
import type { PlacedPattern, ReadyRule, RuleSet } from "./RuleSet.ts"
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

const isText = (pattern: string | undefined, text: string | undefined): boolean =>
  pattern === undefined || (text !== undefined && TextPattern.matches(pattern, text))

const isAbout = ({ agent, host, server, tool }: ReadyRule["rule"]["match"], subject: Subject): boolean =>
  isText(agent, subject.agent) &&
  isText(tool, subject.tool) &&
  isText(server, subject.server) &&
  isText(host?.toLowerCase(), subject.host?.toLowerCase())

export const of = (ready: ReadyRule, subject: Subject, piece: Piece, patternsOf: RuleSet["patternsOf"]): Match => {
  if (ready.isAboutSome && !isAbout(ready.rule.match, subject)) return "no"
  if (piece.type === "command") return ofCommand(ready, piece.command, patternsOf)
  if (ready.command !== undefined || !isText(ready.rule.match.kind, piece.kind)) return "no"
  if (ready.written === undefined) return "yes"
  if (piece.type === "path") return ofPath(ready, patternsOf(ready) ?? [], piece.path)
  return ready.rule.effect === "allow" ? "no" : "maybe"
}

const ofCommand = (ready: ReadyRule, part: CommandPart, patternsOf: RuleSet["patternsOf"]): Match => {
  const { command, rule, written } = ready
  const { effect, match } = rule
  // A rule about paths alone is about files, and allows no program.
  if (effect === "allow" && command === undefined && written !== undefined) return "no"
  if (effect === "allow" && command !== undefined && isOtherProgram(command, part)) return "no"
  const words = command === undefined ? "yes" : CommandPattern.match(command, part.words)
  if (words === "no") return "no"
  const isExecution = isText(match.kind, "execute")
  // What a program does with a path that it is given, nobody knows.
  const kind = isExecution
    ? "yes"
    : written !== undefined && fileKinds.some((name) => isText(match.kind, name))
      ? "maybe"
      : "no"
  if (kind === "no") return "no"
  const paths = patternsOf(ready)
  if (paths === undefined) return words
  if (effect !== "allow") return both(both(words, kind), anyOf(ready, paths, part))
  return isExecution && aboutFiles(part).every((path) => ofPath(ready, paths, path) === "yes") ? words : "no"
}

/** Whether a program is named by a path, and the pattern by a name with stars. Whoever allows `* test` means no file of the project. */
const isOtherProgram = ([wanted]: CommandPattern.CommandPattern, { words: [program] }: CommandPart): boolean =>
  wanted !== undefined &&
  wanted !== "**" &&
  !wanted.includes("/") &&
  program?.type === "literal" &&
  program.value.includes("/")

/**
 * The files that have to be covered by what allows a command: all that it names, or the folder that it runs in. A part of an argument that
 * may be no path counts where it leads out of that folder.
 */
const aboutFiles = ({ folder, paths }: CommandPart): ReadonlyArray<NamedPath> => {
  const isHere = ({ leadsTo }: NamedPath) =>
    leadsTo !== null && folder.leadsTo !== null && isWithin(folder.leadsTo, leadsTo)
  const named = paths.filter((path) => path.isDoubtful === undefined || !isHere(path))
  return named.length === 0 ? [folder] : named
}

const anyOf = (ready: ReadyRule, patterns: ReadonlyArray<PlacedPattern>, { folder, paths }: CommandPart): Match => {
  if (paths.length === 0) return ofPath(ready, patterns, folder)
  let found: Match = "no"
  for (const path of paths) {
    const match = ofPath(ready, patterns, path)
    if (match === "yes") return "yes"
    if (match === "maybe") found = "maybe"
  }
  return found
}

/** Whether the patterns of a rule that allows cover a path. */
export const covers = (ready: ReadyRule, path: NamedPath, patternsOf: RuleSet["patternsOf"]): boolean =>
  ofPath(ready, patternsOf(ready) ?? [], path) === "yes"

const ofPath = (
  { rule }: Pick<ReadyRule, "rule">,
  patterns: ReadonlyArray<PlacedPattern>,
  { below, leadsTo, said }: NamedPath
): Match => {
  if (rule.effect === "allow") {
    if (leadsTo === null) return "no"
    const isCovered = ({ head, pattern }: PlacedPattern) =>
      leadsTo.startsWith(head) &&
      PathPattern.matches(pattern, leadsTo) &&
      (below === undefined || pattern.at(-1) === "**")
    return patterns.some(isCovered) ? "yes" : "no"
  }
  let isHoped = leadsTo === null
  for (const pattern of patterns) {
    const one = said === null ? "no" : atPlace(pattern, said, below)
    const other = leadsTo === null || leadsTo === said ? "no" : atPlace(pattern, leadsTo, below)
    if (one === "yes" || other === "yes") return "yes"
    isHoped ||= one === "maybe" || other === "maybe"
  }
  return isHoped ? "maybe" : "no"
}

const atPlace = ({ head, pattern }: PlacedPattern, place: string, below: NamedPath["below"]): Match => {
  if (below === undefined && !place.startsWith(head)) return "no"
  if (PathPattern.matches(pattern, place)) return "yes"
  return below !== undefined && PathPattern.mayMatchBelow(pattern, place, below) ? "maybe" : "no"
}

/** Whether every word is known. */
export const areKnown = (words: ReadonlyArray<Word>): boolean => words.every(({ type }) => type !== "unknown")
