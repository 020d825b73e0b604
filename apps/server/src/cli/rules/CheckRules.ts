/** `signalbox rules check`: faults and warnings of rules files, with their places. */
import type { Finding } from "@signalbox/permission/rules/RulesText"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import { oneLine } from "../../base/Plain.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesPlace from "../../rules/RulesPlace.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface CheckFlags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
  readonly json: boolean
  readonly file: Option.Option<string>
}

export const checkRules = Effect.fn("Rules.check")(function* ({ cwd, file, json, stateDir }: CheckFlags) {
  const stateFolder = yield* StateFolder.of(stateDir)
  yield* WorkFolder.of("rules check", cwd)
  const files = Option.isSome(file)
    ? [yield* namedFile(file.value, stateFolder)]
    : yield* RulesFiles.find({ stateFolder, cwd })
  const findings = files.flatMap(findingsOf)
  const lines = findings.map((each) => (json ? jsonText(each) : findingLine(each)))
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  for (const each of files) {
    const problem = each.state === "unreadable" ? RulesProblem.of(each) : undefined
    if (problem !== undefined) Terminal.err(problemShown(problem))
    else if (!json) Terminal.err(summary(each))
  }
  if (files.some(({ state }) => state === "faulty" || state === "unreadable")) process.exitCode = ExitCode.failed
})

/** Reads a file as what it is at its place: the file of a project can only narrow. */
const namedFile = Effect.fnUntraced(function* (given: string, stateFolder: string) {
  const path = resolve(given)
  const place = yield* Effect.promise(async () => {
    const named = await RulesPlace.named(path)
    return RulesPlace.isOfProject(path) ? { ...named, source: "project" as const, isNamed: undefined } : named
  })
  const { isNamed, ...rest } = place
  const found = yield* RulesFiles.read(isNamed ? { ...rest, isNamed } : rest, stateFolder)
  if (found.state !== "missing") return found
  return yield* failedWith({
    code: "config-invalid",
    title: `${path} does not exist.`,
    cause: "There is no file to look over.",
    evidence: {},
    nextSteps: [{ action: "run-command", label: "Name another file, or add a rule with signalbox rules add" }]
  })
})

interface Located extends Finding {
  readonly file: string
  readonly severity: "fault" | "warning"
}

const findingsOf = ({ faults, path: file, warnings }: RulesFiles.RulesFile): ReadonlyArray<Located> => [
  ...faults.map((finding) => ({ file, severity: "fault" as const, ...finding })),
  ...warnings.map((finding) => ({ file, severity: "warning" as const, ...finding }))
]

const findingLine = (finding: Located): string => {
  const { column, file, line, severity } = finding
  return oneLine(`${file}:${line}:${column}: ${severity}: ${RulesProblem.findingText(finding)}`, 1000)
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const summary = (file: RulesFiles.RulesFile): string => {
  const { faults, path, rules, state, trust, warnings } = file
  if (state === "missing") return `${path} does not exist, so it has no rules.`
  const found = `${counted(faults.length, "fault")}, ${counted(warnings.length, "warning")}`
  if (state === "faulty")
    return `${path}: ${found}. No rule of this file comes into force until all faults are corrected.`
  const total = `${path}: ${counted(rules.length, "rule")}, ${found}.`
  if (state !== "untrusted") return `${total} It is in force.`
  const why = trust === "changed" ? "It has changed since you trusted it" : "You have not trusted it"
  return `${total} It is not in force. ${why}: signalbox rules trust`
}
