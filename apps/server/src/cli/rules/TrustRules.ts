/** `signalbox rules trust` and `untrust`: whether the rules of a project are in force. */
import * as RuleWords from "@signalbox/permission/rules/RuleWords"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { resolve } from "node:path"
import { oneLine } from "../../base/Plain.ts"
import type { RulesRefused } from "../../rules/RulesBytes.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesPlace from "../../rules/RulesPlace.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import * as TrustedProjects from "../../rules/TrustedProjects.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import * as Terminal from "../terminal/Terminal.ts"

interface Flags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
}

const projectFile = Effect.fnUntraced(function* (command: string, { cwd, stateDir }: Flags) {
  const stateFolder = yield* StateFolder.of(stateDir)
  const place = yield* Effect.promise(() => RulesPlace.around(cwd))
  if (place === undefined)
    return yield* usage(command, `Neither ${resolve(cwd)} nor a folder above it has .signalbox/rules.json.`)
  return { stateFolder, file: yield* RulesFiles.read(place, stateFolder) }
})

const noted = <A>(change: Effect.Effect<A, RulesRefused>) =>
  change.pipe(
    Effect.catch(({ message, path }) =>
      failedWith({
        code: "config-invalid",
        title: "The trust can't be noted.",
        cause: `${path}: ${message}.`,
        evidence: {},
        nextSteps: [{ action: "run-command", label: `See to it that ${path} belongs to you and can be written` }]
      })
    )
  )

export const trustProject = Effect.fn("Rules.trust")(function* (flags: Flags) {
  yield* WorkFolder.of("rules trust", flags.cwd)
  const { file, stateFolder } = yield* projectFile("rules trust", flags)
  const { bytes, path, rules, state } = file
  const problem = state === "faulty" || state === "unreadable" ? RulesProblem.of(file) : undefined
  if (problem !== undefined) return yield* failedWith(problem)
  if (bytes === undefined) return yield* usage("rules trust", `${path} does not exist any more.`)
  yield* noted(TrustedProjects.trust(stateFolder, path, bytes.hash))
  Terminal.err([
    `The rules in ${path} are in force now, as the file is:`,
    ...rules.map((rule) => `  ${rule.number}  ${oneLine(RuleWords.ruleText(rule), 400)}${ignored(rule.effect)}`),
    "If the file changes, its rules have to be trusted again."
  ])
})

const ignored = (effect: string): string =>
  effect === "allow" ? " (ignored: the file of a project can only deny and ask)" : ""

export const untrustProject = Effect.fn("Rules.untrust")(function* (flags: Flags) {
  const stateFolder = yield* StateFolder.of(flags.stateDir)
  // The file itself may be gone.
  const { path } = yield* Effect.promise(
    async () => (await RulesPlace.around(flags.cwd)) ?? (await RulesPlace.inProject(flags.cwd))
  )
  const trusted = yield* noted(TrustedProjects.read(stateFolder))
  if (!trusted.has(path)) return Terminal.err(`The rules in ${path} are not trusted.`)
  yield* noted(TrustedProjects.untrust(stateFolder, path))
  Terminal.err(`The rules in ${path} are no longer in force.`)
})
