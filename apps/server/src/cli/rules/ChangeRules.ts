/** `signalbox rules add` and `remove`. */
import type { RuleEffect } from "@signalbox/contracts/Judgement"
import type { Refused } from "@signalbox/contracts/Refused"
import { decode, issuesOf, pathText } from "@signalbox/contracts/JsonIssues"
import { type Match, Rule } from "@signalbox/contracts/Rule"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as RuleWords from "@signalbox/permission/rules/RuleWords"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CommandLine from "effect/process/CommandLine"
import * as Result from "effect/Result"
import { realpath } from "node:fs/promises"
import { oneLine } from "../../base/Plain.ts"
import * as RulesChange from "../../rules/RulesChange.ts"
import type * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesPlace from "../../rules/RulesPlace.ts"
import * as RulesSchema from "../../rules/RulesSchema.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import * as Terminal from "../terminal/Terminal.ts"

interface Flags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
  readonly project: boolean
}

type Text = Option.Option<string>

export interface AddFlags extends Flags {
  readonly file: Text
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
const target = Effect.fnUntraced(function* ({ cwd, project, stateDir }: Flags, named?: string) {
  const stateFolder = yield* StateFolder.of(stateDir)
  const place = yield* Effect.promise(async () => {
    // The file itself is replaced, not a link to it.
    if (named !== undefined) return RulesPlace.named(await realpath(named).catch(() => named))
    return project ? RulesPlace.inProject(cwd) : RulesPlace.ofPerson(stateFolder)
  })
  return yield* inWords(RulesChange.open(place, stateFolder))
})

const inWords = Effect.catch(({ problem }: Refused) => failedWith(problem))

export const addRule = Effect.fn("Rules.add")(function* (flags: AddFlags) {
  yield* WorkFolder.of("rules add", flags.cwd)
  const rule = yield* ruleOf(flags)
  if (flags.project && rule.effect === "allow")
    return yield* usage(
      "rules add",
      "The file of a project can only deny and ask. Without --project the rule is your own."
    )
  const named = Option.getOrUndefined(flags.file)
  if (flags.project && named !== undefined)
    return yield* usage("rules add", "Give it --project or --rules, and not both.")
  const file = yield* target(flags, named)
  const { rule: added, warnings } = yield* inWords(
    RulesChange.add(file, rule, yield* StateFolder.of(flags.stateDir), schemaFor(flags))
  )
  Terminal.err(`Rule ${added.number} in ${file.path}: ${oneLine(RuleWords.ruleText(added), 400)}.`)
  for (const { message } of warnings) Terminal.err(`Warning: ${message}.`)
  if (flags.project) Terminal.err(again(file))
})

const again = ({ folder }: RulesFiles.RulesFile): string =>
  `The file has changed, so its rules are not in force. To trust them: ${CommandLine.display(["signalbox", "rules", "trust", "--cwd", folder ?? "."])}`

export const removeRule = Effect.fn("Rules.remove")(function* (flags: Flags & { readonly number: number }) {
  yield* WorkFolder.of("rules remove", flags.cwd)
  const file = yield* target(flags)
  const rule = file.rules[flags.number - 1]
  if (rule === undefined)
    return yield* usage(
      "rules remove",
      `${file.path} has no rule ${flags.number}. ${file.rules.length === 0 ? "It has none." : "It has:"}`,
      file.rules.map((each) => `${each.number}  ${RuleWords.ruleText(each)}`)
    )
  yield* inWords(RulesChange.remove(file, rule, yield* StateFolder.of(flags.stateDir)))
  Terminal.err(`Removed from ${file.path}: ${oneLine(RuleWords.ruleText(rule), 400)}.`)
  if (flags.project) Terminal.err(again(file))
})

/** The file of a project, or one for runs, goes to other machines, where this path means nothing. */
const schemaFor = ({ file, project }: AddFlags): string | undefined =>
  project || Option.isSome(file) ? undefined : RulesSchema.address()

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
  if (at === -1 || name === undefined || value === "") return text
  return { [name]: name === "workspace" ? (await RulesPlace.inProject(value)).folder : value }
}
