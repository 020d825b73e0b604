/** The narrowest rules that would allow a request: what each of them would have to match. */
import type { Match } from "@signalbox/contracts/Rule"
import type { Word } from "../shell/ShellReading.ts"
import type { Decision, Verdict } from "./Decision.ts"
import * as RuleMatch from "./RuleMatch.ts"
import type { NamedPath, Subject } from "./Subject.ts"

/** Nobody reads more rules than these to allow one request. */
const most = 16

/**
 * One match for each part that no rule allows. Undefined if rules can't allow the request, or none of them could be about it alone.
 */
export const of = (decision: Decision): ReadonlyArray<Match> | undefined => {
  const { commands, effect, inspectable, paths, rule, subject } = decision
  if (effect !== "ask" || !inspectable || subject === undefined) return undefined
  const parts = [...commands, ...paths]
  if (rule !== undefined || parts.some(isByRule)) return undefined
  const found: Array<Match | undefined> = [
    ...commands.filter(isOpen).map(({ command }) => (command.isInside === true ? ofCommand(command.words) : undefined)),
    // A rule about a file says nothing of the server or the host that gets it. One about those covers the file, too.
    ...(hasTarget(subject) ? [] : paths.filter(isOpen).map(({ path }) => ofPath(path, subject))),
    ...(parts.length === 0 || hasTarget(subject) ? [ofRequest(subject)] : [])
  ]
  const matches = found.filter((match) => match !== undefined)
  if (matches.length < found.length || matches.length === 0) return undefined
  const different = [...new Map(matches.map((match) => [JSON.stringify(match), match])).values()]
  return different.length > most ? undefined : different
}

/** No further rule changes what a rule says. */
const isByRule = ({ effect, rule }: Verdict): boolean => effect !== "allow" && rule !== undefined

const isOpen = ({ effect }: Verdict): boolean => effect === "ask"

/** Undefined where a word of the command would mean something else in a pattern, or is not known. */
const ofCommand = (words: ReadonlyArray<Word>): Match | undefined => {
  if (words.length === 0 || words[0]?.type !== "literal" || !RuleMatch.areKnown(words)) return undefined
  const texts = words.map(textOf)
  return texts.includes(undefined) ? undefined : { command: texts.join(" ") }
}

/** What the shell makes of a pattern may be any number of words. Only a wider rule could be about it. */
const textOf = (word: Word): string | undefined => (word.type === "literal" ? inPattern(word.value) : undefined)

/** Signs that nobody sees, or that control a terminal. People could not read what they allow. */
const hidden = /[\p{Cc}\p{Cf}]/u

/** A word as a pattern has it. A star in it would stand for other words, too. */
const inPattern = (value: string): string | undefined => {
  if (value.includes("*") || hidden.test(value)) return undefined
  if (value !== "" && !/[\s"']/.test(value)) return value
  return value === ""
    ? "''"
    : value.replaceAll(/[^']+|'+/g, (text) => (text.startsWith("'") ? `"${text}"` : `'${text}'`))
}

const ofPath = ({ access, below, leadsTo }: NamedPath, { commands, kind }: Subject): Match | undefined => {
  // A star or a question mark in a name would stand for other names, too.
  if (leadsTo === null || hidden.test(leadsTo) || /[*?]/.test(leadsTo)) return undefined
  const ofShell = access === "read" ? "read" : "edit"
  return { kind: commands === undefined ? kind : ofShell, path: below !== undefined ? `${leadsTo}/**` : leadsTo }
}

const hasTarget = ({ host, server }: Subject): boolean => host !== undefined || server !== undefined

/** A kind alone would allow far more than this request. */
const ofRequest = (subject: Subject): Match | undefined => {
  const { host, kind, server, tool } = subject
  return !hasTarget(subject)
    ? undefined
    : {
        kind,
        ...(server !== undefined && { server }),
        ...(tool !== undefined && { tool }),
        ...(host !== undefined && { host })
      }
}
