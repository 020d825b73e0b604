/** `signalbox rules add` and `remove`. */
import type { RuleEffect } from "@signalbox/contracts/Judgement"
import { decode, issuesOf, pathText } from "@signalbox/contracts/JsonIssues"
import { type Match, Rule } from "@signalbox/permission/rules/Rule"
import * as RulesEdit from "@signalbox/permission/rules/RulesEdit"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as RuleWords from "@signalbox/permission/rules/RuleWords"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CommandLine from "effect/process/CommandLine"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { inRepository } from "../../base/Installation.ts"
import { oneLine } from "../../base/Plain.ts"
import { usedRulesIn } from "../../base/StateDirectory.ts"
import * as RuleUses from "../../rules/RuleUses.ts"
import * as RulesBytes from "../../rules/RulesBytes.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesPlace from "../../rules/RulesPlace.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import * as Terminal from "../terminal/Terminal.ts"

interface Flags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
  readonly project: boolean
}

type Text = Option.Option<string>

export interface AddFlags extends Flags {
  readonly effect: RuleEffect
  readonly command: Text
  readonly path: Text
  readonly kind: Text
  readonly tool: Text
  readonly server: Text
  readonly host: Text
  readonly agent: Text
  readonly scope: Text
  readonly until: Text
  readonly why: Text
}

/** The file that a command changes. Fails if it can't be changed without a loss. */
const target = Effect.fnUntraced(function* ({ cwd, project, stateDir }: Flags) {
  const stateFolder = yield* StateFolder.of(stateDir)
  const place = project ? yield* Effect.promise(() => RulesPlace.inProject(cwd)) : RulesPlace.ofPerson(stateFolder)
  const file = yield* RulesFiles.read(place, stateFolder)
  const problem = file.state === "faulty" || file.state === "unreadable" ? RulesProblem.of(file) : undefined
  return problem === undefined ? file : yield* failedWith(problem)
})

const write = (file: RulesFiles.RulesFile, text: string) =>
  RulesBytes.write(file, text).pipe(
    Effect.catch(({ message, path }) =>
      failedWith({
        code: "config-invalid",
        title: "The rules can't be written.",
        cause: `${path}: ${message}.`,
        evidence: {},
        nextSteps: [{ action: "run-command", label: `See to it that ${path} belongs to you and can be written` }]
      })
    )
  )

export const addRule = Effect.fn("Rules.add")(function* (flags: AddFlags) {
  const rule = yield* ruleOf(flags)
  if (flags.project && rule.effect === "allow")
    return yield* usage(
      "rules add",
      "The file of a project can only deny and ask. Without --project the rule is your own."
    )
  const file = yield* target(flags)
  const text = RulesEdit.add(file.bytes?.text ?? "", rule, schemaFor(flags))
  const now = yield* Clock.currentTimeMillis
  const { faults, rules, warnings } = RulesText.read(file.path, text, { ...file, now })
  const [fault] = faults
  if (fault !== undefined)
    return yield* usage("rules add", `The rule can't be added to ${file.path}. ${RulesProblem.findingText(fault)}`)
  yield* write(file, text)
  const added = rules.at(-1)
  if (added === undefined) return
  yield* RuleUses.renew(usedRulesIn(yield* StateFolder.of(flags.stateDir)), rules)
  Terminal.err(`Rule ${added.number} in ${file.path}: ${oneLine(RuleWords.ruleText(added), 400)}.`)
  const own = pathText(["rules", added.number - 1])
  for (const { message, path } of warnings) if (path.startsWith(own)) Terminal.err(`Warning: ${message}.`)
  if (flags.project) Terminal.err(again(file))
})

const again = ({ folder }: RulesFiles.RulesFile): string =>
  `The file has changed, so its rules are not in force. To trust them: ${CommandLine.display(["signalbox", "rules", "trust", "--cwd", folder ?? "."])}`

export const removeRule = Effect.fn("Rules.remove")(function* (flags: Flags & { readonly number: number }) {
  const file = yield* target(flags)
  const rule = file.rules[flags.number - 1]
  if (rule === undefined)
    return yield* usage(
      "rules remove",
      `${file.path} has no rule ${flags.number}. ${file.rules.length === 0 ? "It has none." : "It has:"}`,
      file.rules.map((each) => `${each.number}  ${RuleWords.ruleText(each)}`)
    )
  yield* write(file, RulesEdit.remove(file.bytes?.text ?? "", flags.number))
  Terminal.err(`Removed from ${file.path}: ${oneLine(RuleWords.ruleText(rule), 400)}.`)
  if (flags.project) Terminal.err(again(file))
})

/** The address of the schema for editors. The file of a project goes to other machines, where this path means nothing. */
const schemaFor = ({ project }: Flags): string | undefined => {
  const path = inRepository("docs", "rules.schema.json")
  return project || !existsSync(path) ? undefined : pathToFileURL(path).href
}

const members = ["command", "path", "kind", "tool", "server", "host", "agent"] as const

const ruleOf = Effect.fnUntraced(function* (flags: AddFlags) {
  const match: Match = Object.fromEntries(
    members.flatMap((name) => Option.match(flags[name], { onNone: () => [], onSome: (text) => [[name, text]] }))
  )
  if (Object.keys(match).length === 0)
    return yield* usage(
      "rules add",
      "Say what the rule is about:",
      members.map((name) => `--${name}`)
    )
  const given = Option.getOrUndefined(flags.scope)
  const scope = given === undefined ? undefined : yield* Effect.promise(() => scopeOf(given, flags))
  const rule = {
    effect: flags.effect,
    match,
    ...(scope !== undefined && { scope }),
    ...(Option.isSome(flags.until) && { until: flags.until.value }),
    ...(Option.isSome(flags.why) && { why: flags.why.value })
  }
  const decoded = decode(Rule, rule)
  if (Result.isSuccess(decoded)) return decoded.success
  const issues = RulesText.inWords(issuesOf(decoded.failure))
  return yield* usage(
    "rules add",
    "This is no rule.",
    issues.map(({ message, path }) => `${pathText(path)}: ${message}.`)
  )
})

const scopeNames: Readonly<Record<string, string>> = {
  workspace: "workspace",
  thread: "thread",
  session: "session",
  "session-kind": "sessionKind"
}

/** The scope as a file has it. The schema finds what is wrong. */
const scopeOf = async (text: string, { cwd, project }: Flags): Promise<unknown> => {
  const at = text.indexOf("=")
  // The person's own file belongs to no folder, so the folder has to be written down.
  if (text === "workspace" && !project) return { workspace: (await RulesPlace.inProject(cwd)).folder }
  const name = scopeNames[text.slice(0, at)]
  const value = text.slice(at + 1)
  if (at === -1 || name === undefined) return text
  return { [name]: name === "workspace" ? (await RulesPlace.inProject(value)).folder : value }
}
