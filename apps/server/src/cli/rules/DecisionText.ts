/** A decision of the rules, for programs and for people. */
import type { Decision, Verdict } from "@signalbox/permission/rules/Decision"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RuleWords from "@signalbox/permission/rules/RuleWords"
import type { NamedPath } from "@signalbox/permission/rules/Subject"
import type { Word } from "@signalbox/permission/shell/ShellReading"
import { oneLine, revealedLine } from "../../base/Plain.ts"
import { type Column, table } from "../terminal/Table.ts"

const ruleOf = (rule: PlacedRule | undefined) => {
  if (rule === undefined) return null
  const { effect, file, line, match, number, source, why } = rule
  const place = source === "built-in" ? {} : { number, file, line }
  return { source, ...place, effect, match, ...(why !== undefined && { why }) }
}

const verdictOf = ({ effect, rule, why }: Verdict) => ({ effect, rule: ruleOf(rule), why })

const pathOf = ({ access, leadsTo, path }: NamedPath) => ({ path, leadsTo, access })

/** Null: known only when it runs. */
const wordOf = (word: Word): string | null => (word.type === "literal" ? word.value : null)

/** The object that `rules explain --json` prints. */
export const jsonOf = (decision: Decision) => {
  const { commands, inspectable, paths, ...verdict } = decision
  const { effect, rule, why } = verdictOf(verdict)
  return {
    effect,
    rule,
    inspectable,
    commands: commands.map(({ command, ...verdict }) => ({
      command: command.text,
      words: command.words.map(wordOf),
      ...verdictOf(verdict),
      paths: command.paths.map(pathOf)
    })),
    paths: paths.map(({ path, ...verdict }) => ({ ...pathOf(path), ...verdictOf(verdict) })),
    why
  }
}

interface Part extends Verdict {
  readonly what: string
}

const columns: ReadonlyArray<Column<Part>> = [
  { heading: "EFFECT", cell: ({ effect }) => effect },
  { heading: "PART", cell: ({ what }) => revealedLine(what, 80) },
  { heading: "WHY", cell: ({ why }) => oneLine(why, 400) },
  { heading: "RULE", cell: ({ rule }) => placeOf(rule) }
]

const placeOf = (rule: PlacedRule | undefined): string => {
  if (rule === undefined) return "none"
  return rule.source === "built-in" ? "built in" : oneLine(`${rule.file}:${rule.line}`, 400)
}

/** The lines that people read. */
export const linesOf = ({ commands, effect, paths, rule, why }: Decision): ReadonlyArray<string> => {
  const parts: ReadonlyArray<Part> = [
    ...commands.map(({ command, ...verdict }) => ({ what: command.text, ...verdict })),
    ...paths.map(({ path, ...verdict }) => ({ what: path.path, ...verdict }))
  ]
  const said =
    rule === undefined || rule.source === "built-in"
      ? []
      : [
          `  ${placeOf(rule)}: ${oneLine(RuleWords.ruleText(rule), 400)}`,
          ...(rule.why === undefined ? [] : [`  ${oneLine(rule.why, 400)}`])
        ]
  return [`${effect}: ${oneLine(why, 400)}`, ...said, ...(parts.length > 1 ? ["", ...table(columns, parts)] : [])]
}
