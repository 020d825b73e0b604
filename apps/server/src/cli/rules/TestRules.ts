/** `signalbox rules test`: tries the examples that stand beside rules. */
import { compact } from "@signalbox/contracts/Json"
import type { Decision } from "@signalbox/permission/rules/Decision"
import type { Example } from "@signalbox/contracts/Rule"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { oneLine } from "../../base/Plain.ts"
import * as Judging from "../../rules/Judging.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as CallJudging from "./CallJudging.ts"
import * as GivenRequest from "./GivenRequest.ts"

export interface TestFlags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
  readonly rules: Option.Option<string>
  readonly json: boolean
}

interface Tried {
  readonly rule: PlacedRule
  readonly example: Example
  /** Its place beside its rule, from 1. */
  readonly place: number
  readonly decision: Decision
}

export const testRules = Effect.fn("Rules.test")(function* ({ cwd, json, rules, stateDir }: TestFlags) {
  const stateFolder = yield* StateFolder.of(stateDir)
  const folder = yield* WorkFolder.of("rules test", cwd)
  const files = yield* RulesFiles.find({ stateFolder, cwd, named: Option.getOrUndefined(rules) })
  const missing = files.find(({ isNamed, state }) => isNamed && state === "missing")
  if (missing !== undefined) return yield* usage("rules test", `--rules: ${missing.path} does not exist.`)
  const broken = files.filter(({ state }) => state === "faulty" || state === "unreadable")
  for (const problem of broken.flatMap((file) => RulesProblem.of(file) ?? [])) Terminal.err(problemShown(problem))
  const tried = (yield* Effect.forEach(files, (file) => inFile(file, { cwd: folder, stateFolder }))).flat()
  const wrong = tried.filter(({ decision, example }) => decision.effect !== example.effect)
  const lines = json ? tried.map((each) => jsonText(jsonOf(each))) : wrong.map(wrongLine)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  if (!json && (tried.length > 0 || broken.length === 0)) Terminal.err(summary(tried.length, wrong.length))
  if (wrong.length > 0 || broken.length > 0) process.exitCode = ExitCode.failed
})

interface Base {
  readonly cwd: string
  readonly stateFolder: string
}

/** Each example is judged by all rules of its file, whether they are in force or not. */
const inFile = ({ folder, rules, source }: RulesFiles.RulesFile, { cwd, stateFolder }: Base) =>
  Effect.forEach(
    rules.flatMap((rule) => (rule.examples ?? []).map((example, index) => ({ rule, example, place: index + 1 }))),
    ({ example, place, rule }) =>
      Effect.map(
        judged(rules, example, originOf(rule, example, source === "project" ? (folder ?? cwd) : cwd, stateFolder)),
        (decision): Tried => ({ rule, example, place, decision })
      )
  )

/** The request comes from where its rule holds. */
const originOf = (
  { match, scope }: PlacedRule,
  { agent }: Example,
  cwd: string,
  stateFolder: string
): Judging.Origin => {
  const named = match.agent === undefined || match.agent.includes("*") ? "cursor" : match.agent
  const origin = { agent: agent ?? named, cwd, own: [stateFolder] }
  if (scope === undefined || typeof scope === "string") return origin
  return "workspace" in scope ? { ...origin, cwd: scope.workspace } : { ...origin, ...scope }
}

const judged = (
  rules: ReadonlyArray<PlacedRule>,
  { command, kind = "edit", path }: Example,
  origin: Judging.Origin
): Effect.Effect<Decision> => {
  if (path === undefined) return Judging.command(rules, origin, command ?? "")
  const call = GivenRequest.of(compact({ kind, path }))
  return Result.isSuccess(call)
    ? CallJudging.judge(rules, origin, call.success)
    : Effect.die(new Error("An object is a request."))
}

const jsonOf = ({ decision: { effect, why }, example, place, rule: { file, line, number } }: Tried) => ({
  file,
  line,
  rule: number,
  example: place,
  expected: example.effect,
  effect,
  why,
  isRight: effect === example.effect
})

const wrongLine = ({ decision, example, place, rule }: Tried): string => {
  const request = example.command ?? `${example.kind ?? "edit"} ${example.path}`
  const words = `example ${place} of rule ${rule.number} (${request}) expects ${example.effect}, and it is ${decision.effect}`
  return oneLine(`${rule.file}:${rule.line}: ${words}: ${decision.why}`, 1000)
}

const summary = (tried: number, wrong: number): string => {
  if (tried === 0) return "No rule has examples."
  const all = tried === 1 ? "1 example was tried" : `${tried} examples were tried`
  return wrong === 0
    ? `${all}. All come out as expected.`
    : `${all}. ${wrong} of them ${wrong === 1 ? "differs" : "differ"}.`
}
