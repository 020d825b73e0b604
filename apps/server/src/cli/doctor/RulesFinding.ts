/** What `signalbox doctor` finds of the rules that count in a folder. */
import * as Effect from "effect/Effect"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import type { Finding } from "../server/StateReport.ts"
import { problemText } from "../terminal/ProblemText.ts"

/** A file that can't be understood is bad: people are asked about everything until it is corrected. */
export const of = (stateFolder: string, cwd: string): Effect.Effect<Finding> =>
  Effect.map(RulesFiles.find({ stateFolder, cwd }), (files) => ({
    name: "Rules",
    lines: files.flatMap(linesOf),
    ...(files.some(RulesFiles.isFaulty) && { bad: true as const })
  }))

const linesOf = (file: RulesFiles.RulesFile): ReadonlyArray<string> => {
  const problem = RulesProblem.of(file)
  if (problem !== undefined) return problemText(problem).split("\n")
  const { length } = file.rules
  return [length === 0 ? `None in ${file.path}` : `${file.path}, ${length} ${length === 1 ? "rule" : "rules"}`]
}
