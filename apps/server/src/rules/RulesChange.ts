/** Changes the person's rules files: one rule more, or one less. Each change replaces the file in one step, or does not happen at all. */
import type { Problem } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"
import { pathText } from "@signalbox/contracts/JsonIssues"
import type { Rule } from "@signalbox/contracts/Rule"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RulesEdit from "@signalbox/permission/rules/RulesEdit"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { usedRulesIn } from "../base/StateDirectory.ts"
import * as RuleUses from "./RuleUses.ts"
import * as RulesBytes from "./RulesBytes.ts"
import * as RulesFiles from "./RulesFiles.ts"
import type { RulesPlace } from "./RulesPlace.ts"
import * as RulesProblem from "./RulesProblem.ts"

/** The file at a place. Fails if it can't be changed without a loss. */
export const open = Effect.fn("RulesChange.open")(function* (place: RulesPlace, stateFolder: string) {
  const file = yield* RulesFiles.read(place, stateFolder)
  // A rule can be added to an empty file: nothing of it is lost.
  if (RulesFiles.isBlank(file)) return file
  const problem = file.state === "faulty" || file.state === "unreadable" ? RulesProblem.of(file) : undefined
  return problem === undefined ? file : yield* new Refused({ problem })
})

export interface Added {
  readonly rule: PlacedRule
  /** About the new rule only. */
  readonly warnings: ReadonlyArray<RulesText.Finding>
}

/**
 * Adds a rule behind the others.
 *
 * @param schema where editors find the schema; it is written into a file that is empty
 */
export const add = Effect.fn("RulesChange.add")(function* (
  file: RulesFiles.RulesFile,
  rule: Rule,
  stateFolder: string,
  schema: string | undefined
): Effect.fn.Return<Added, Refused> {
  const text = RulesEdit.add(file.bytes?.text ?? "", rule, schema)
  const now = yield* Clock.currentTimeMillis
  const { faults, rules, warnings } = RulesText.read(file.path, text, { ...file, now })
  const added = rules.at(-1)
  const [fault] = faults
  if (fault !== undefined || added === undefined)
    return yield* refused(
      `The rule can't be added to ${file.path}.`,
      fault === undefined ? "It is not found in the new text." : RulesProblem.findingText(fault),
      "Change the rule"
    )
  yield* write(file, text, stateFolder)
  yield* RuleUses.renew(usedRulesIn(stateFolder), rules)
  const own = pathText(["rules", added.number - 1])
  return { rule: added, warnings: warnings.filter(({ path }) => path === own || path.startsWith(`${own}.`)) }
})

/** Takes a rule out. */
export const remove = (file: RulesFiles.RulesFile, { number }: Pick<PlacedRule, "number">, stateFolder: string) =>
  write(file, RulesEdit.remove(file.bytes?.text ?? "", number), stateFolder)

const write = (file: RulesFiles.RulesFile, text: string, stateFolder: string): Effect.Effect<void, Refused> => {
  const written = Effect.gen(function* () {
    const before = yield* RulesBytes.read(file)
    if (before?.hash !== file.bytes?.hash)
      return yield* refused(
        "The rules were changed meanwhile.",
        `Somebody else has written to ${file.path}, so nothing was changed.`,
        "Look at the rules, then do it again"
      )
    yield* RulesBytes.write(file, text)
  })
  return Effect.catchTag(RulesBytes.alone(stateFolder, written), "RulesRefused", (error) =>
    Effect.fail(unwritable(error))
  )
}

export const refused = (title: string, cause: string, label: string): Refused =>
  new Refused({ problem: problemOf(title, cause, label) })

const problemOf = (title: string, cause: string, label: string): Problem => ({
  code: "config-invalid",
  title,
  cause,
  evidence: {},
  nextSteps: [{ action: "run-command", label }]
})

const unwritable = ({ message, path }: RulesBytes.RulesRefused): Refused =>
  refused(
    "The rules can't be written.",
    `${path}: ${message}.`,
    `See to it that ${path} belongs to you and can be written`
  )
