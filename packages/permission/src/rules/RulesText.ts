/** Reads the text of a rules file. A file is in force as a whole, or not at all. Pure; the server reads the files. */
import { decode, issuesOf, type JsonPath, pathText } from "@signalbox/contracts/JsonIssues"
import * as Result from "effect/Result"
import * as JsonTree from "./JsonTree.ts"
import { type PlacedRule, RulesDocument } from "./Rule.ts"
import * as RulesWarnings from "./RulesWarnings.ts"

/** Something about a place of the file. */
export interface Finding extends JsonTree.Place {
  /** The value that is meant, such as `rules[3].match.command`. Empty for the whole file. */
  readonly path: string
  /** One or two sentences, without the last full stop. It quotes no value. */
  readonly message: string
}

export interface RulesReading {
  /** Empty if there is a fault. */
  readonly rules: ReadonlyArray<PlacedRule>
  readonly faults: ReadonlyArray<Finding>
  /** About rules that are in force all the same. */
  readonly warnings: ReadonlyArray<Finding>
}

/** The origin of a file, and when it is read. */
export interface Origin {
  readonly source: "user" | "project"
  /** The folder in which relative paths of its rules begin. Undefined: in the folder of each session. */
  readonly folder: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Nobody writes a longer file by hand. */
const maxCharacters = 1024 * 1024

const maxRules = 10_000

const byPlace = (one: Finding, other: Finding): number => one.line - other.line || one.column - other.column

/** The most faults that are named. Whoever corrects some of them sees the others. */
const mostNamed = 100

const first: JsonTree.Place = { line: 1, column: 1 }

export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")

/**
 * Reads a file.
 *
 * @param file its absolute path
 */
export const read = (file: string, text: string, origin: Origin): RulesReading => {
  const faulty = (...faults: ReadonlyArray<Finding>): RulesReading => ({
    rules: [],
    faults: faults.toSorted(byPlace),
    warnings: []
  })
  if (text.length > maxCharacters) return faulty({ ...first, path: "", message: "It is longer than a megabyte" })
  const parsed = JsonTree.parse(withoutMark(text))
  if (Result.isFailure(parsed)) return faulty({ ...parsed.failure.place, path: "", message: parsed.failure.message })
  const tree = parsed.success
  if (tree.root === undefined) return { rules: [], faults: [], warnings: [] }
  const finding = (path: JsonPath, message: string): Finding => ({
    ...tree.placeAt(path),
    path: pathText(path),
    message
  })
  if (tree.root.type !== "object") return faulty(finding([], "It has to be an object, in braces"))
  const count = tree.nodeAt(["rules"])?.children?.length ?? 0
  if (count > maxRules) return faulty(finding(["rules"], `It has over ${maxRules} rules`))
  const repeated = tree.repeated.map(({ path, place }) => ({
    ...place,
    path: pathText(path),
    message: "This name is there twice"
  }))
  const decoded = decode(RulesDocument, tree.value)
  if (Result.isFailure(decoded) || repeated.length > 0) {
    const issues = Result.isFailure(decoded) ? inWords(issuesOf(decoded.failure)) : []
    const named = issues.slice(0, mostNamed).map(({ message, path }) => finding(path, message))
    const others = issues.length - named.length
    const rest = { ...(named.at(-1) ?? first), path: "", message: `There are ${others} more faults` }
    return faulty(...repeated.slice(0, mostNamed), ...named, ...(others > 0 ? [rest] : []))
  }
  const rules = decoded.success.rules.map((rule, index): PlacedRule => ({
    ...rule,
    source: origin.source,
    file,
    line: tree.placeAt(["rules", index]).line,
    number: index + 1,
    folder: origin.folder
  }))
  const warnings = RulesWarnings.of(rules, origin.now).map(({ message, number, path }) =>
    finding(["rules", number - 1, ...path], message)
  )
  return { rules, faults: [], warnings }
}

type Issues = ReturnType<typeof issuesOf>

/** The members of a rule that take one of several forms. Their issues name each form that the value hasn't. */
const forms: Readonly<Record<string, string>> = {
  scope:
    'Expected "global", "workspace", or an object with one of workspace (an absolute path), thread, session and sessionKind',
  until: 'Expected "once", "session", or a date such as 2027-01-31'
}

/** Faults of a rule or of a file of rules, with one clear sentence for each. */
export const inWords = (issues: Issues): Issues => {
  const said = new Set<string>()
  return issues.flatMap((issue) => {
    const length = issue.path[0] === "rules" ? 3 : 1
    const path = issue.path.slice(0, length)
    const message = forms[String(path[length - 1])]
    if (message === undefined) return [issue]
    const key = pathText(path)
    if (said.has(key)) return []
    said.add(key)
    return [{ path, message }]
  })
}
