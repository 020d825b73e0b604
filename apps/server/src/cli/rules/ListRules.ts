/** `signalbox rules list`: the rules that count in a folder. */
import type { RuleState } from "@signalbox/contracts/Rules"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RuleWords from "@signalbox/permission/rules/RuleWords"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { oneLine } from "../../base/Plain.ts"
import { usedRulesIn } from "../../base/StateDirectory.ts"
import * as RuleUses from "../../rules/RuleUses.ts"
import * as RuleStates from "../../rules/RuleStates.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ListFlags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
  readonly rules: Option.Option<string>
  readonly json: boolean
}

interface Row {
  readonly rule: PlacedRule
  readonly state: (typeof states)[RuleState]
}

export const listRules = Effect.fn("Rules.list")(function* ({ cwd, json, rules, stateDir }: ListFlags) {
  const stateFolder = yield* StateFolder.of(stateDir)
  yield* WorkFolder.of("rules list", cwd)
  const files = yield* RulesFiles.find({ stateFolder, cwd, named: Option.getOrUndefined(rules) })
  const missing = files.find(({ isNamed, state }) => isNamed && state === "missing")
  if (missing !== undefined) return yield* usage("rules list", `--rules: ${missing.path} does not exist.`)
  const now = yield* Clock.currentTimeMillis
  const used = yield* RuleUses.used(
    usedRulesIn(stateFolder),
    files.flatMap((file) => file.rules)
  )
  const rows = files.flatMap((file) =>
    file.rules.map((rule): Row => ({ rule, state: states[RuleStates.of(rule, file, used, now)] }))
  )
  if (json) yield* write(rows.map(({ rule, state }) => jsonText({ ...rule, state })))
  else if (rows.length > 0) yield* write(table(columns, rows))
  const problems = files.flatMap((file) => RulesProblem.of(file) ?? [])
  for (const problem of problems) Terminal.err(problemShown(problem))
  if (rows.length === 0 && problems.length === 0 && !json)
    Terminal.err("There are no rules. Every request is put to people.")
  if (files.some(({ state }) => state === "faulty" || state === "unreadable")) process.exitCode = ExitCode.failed
})

const write = (lines: ReadonlyArray<string>) =>
  Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))

const states = {
  "in-force": "in force",
  untrusted: "not trusted",
  ignored: "ignored",
  over: "over",
  used: "used"
} as const

const columns: ReadonlyArray<Column<Row>> = [
  { heading: "#", cell: ({ rule }) => String(rule.number), right: true },
  { heading: "EFFECT", cell: ({ rule }) => rule.effect },
  { heading: "RULE", cell: ({ rule }) => oneLine(RuleWords.matchText(rule.match), 120) },
  { heading: "WHERE", cell: ({ rule }) => oneLine(RuleWords.scopeText(rule), 80) },
  { heading: "UNTIL", cell: ({ rule }) => oneLine(RuleWords.endText(rule), 40) },
  { heading: "STATE", cell: ({ state }) => state },
  { heading: "FROM", cell: ({ rule }) => oneLine(`${rule.file}:${rule.line}`, 400) }
]
