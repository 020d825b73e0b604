/** `signalbox rules replay`: what rules would have made of the recorded requests. */
import type { AuditDecision } from "@signalbox/contracts/Audit"
import type { Decision } from "@signalbox/permission/rules/Decision"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import { refOf } from "@signalbox/permission/rules/RuleNaming"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RulesReplay from "../../audit/RulesReplay.ts"
import { oneLine } from "../../base/Plain.ts"
import { auditIn } from "../../base/StateDirectory.ts"
import * as RulesFiles from "../../rules/RulesFiles.ts"
import * as RulesProblem from "../../rules/RulesProblem.ts"
import * as AuditProblem from "../audit/AuditProblem.ts"
import * as Since from "../audit/Since.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { countText } from "../terminal/Amount.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ReplayFlags {
  readonly stateDir: Option.Option<string>
  readonly rules: Option.Option<string>
  readonly rule: Option.Option<string>
  readonly since: Option.Option<string>
  readonly json: boolean
}

interface Change {
  readonly before: string
  readonly now: string
  count: number
}

/** More changed requests are not listed one by one. */
const mostListed = 20

export const replayRules = Effect.fn("Rules.replay")(function* (flags: ReplayFlags) {
  const stateFolder = yield* StateFolder.of(flags.stateDir)
  const rulesIn = yield* rulesOf(flags, stateFolder)
  const since = Option.isNone(flags.since) ? 0 : yield* Since.of("rules replay", flags.since.value)
  const all: Array<RulesReplay.Replayed> = []
  yield* Effect.mapError(
    RulesReplay.run(auditIn(stateFolder), since, rulesIn, (one) => void all.push(one)),
    AuditProblem.of
  )
  const changed = all.filter(isChanged)
  const changes = counted(all)
  const unknown = all.filter(({ verdict }) => verdict === undefined).length
  const lines = flags.json
    ? [jsonText({ requests: all.length, changed: changed.length, unknown, changes, list: changed.map(jsonOf) })]
    : all.length === 0
      ? []
      : [
          ...table(changeColumns, changes),
          ...(changed.length === 0 ? [] : ["", ...table(columns, changed.slice(-mostListed).toReversed())])
        ]
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  if (flags.json) return
  Terminal.err(summary(all.length, changed.length))
  if (unknown > 0)
    Terminal.err(`${countText(unknown, "request")} can't be judged again: too little of them was recorded.`)
  if (changed.length > mostListed) Terminal.err(`The latest ${mostListed} are listed. --json has all.`)
})

const rulesOf = Effect.fnUntraced(function* ({ rule, rules }: ReplayFlags, stateFolder: string) {
  const named = Option.getOrUndefined(rules)
  const own = yield* RulesFiles.find({ stateFolder, cwd: stateFolder, named })
  for (const file of own) {
    if (file.state === "missing" && file.isNamed)
      return yield* usage("rules replay", `--rules: ${file.path} does not exist.`)
    const problem = RulesProblem.of(file)
    if (problem !== undefined && file.source === "user") return yield* failedWith(problem)
  }
  const one = Option.isNone(rule) ? [] : yield* oneRule(rule.value)
  return (folder: string): Effect.Effect<ReadonlyArray<PlacedRule>> =>
    Effect.map(RulesFiles.find({ stateFolder, cwd: folder, named }), (files) => [...RulesFiles.inForce(files), ...one])
})

const oneRule = Effect.fnUntraced(function* (text: string) {
  const now = yield* Clock.currentTimeMillis
  const reading = RulesText.read("--rule", `{"rules":[${text}]}`, { source: "user", folder: undefined, now })
  return reading.rules.length === 1
    ? reading.rules
    : yield* usage("rules replay", `--rule: ${reading.faults[0]?.message ?? "It has to be one rule"}.`)
})

const asked = { allow: "asked, allowed", deny: "asked, denied", none: "asked, no answer" } as const
const words = { allow: "allowed", deny: "denied", none: "answered" } as const

/** What became of a request then. */
const beforeOf = (decision: AuditDecision): string => {
  const { by, effect } = decision
  if (RulesReplay.wasAsked(decision)) return by.type === "flag" ? `${asked[effect]} by a flag` : asked[effect]
  return `${words[effect]} by ${by.type === "rule" ? "a rule" : "the settings"}`
}

const nowOf = (verdict: Decision | undefined): string => {
  if (verdict === undefined) return "not known"
  if (verdict.effect === "ask") return verdict.rule === undefined ? "no rule decides" : "ask"
  return verdict.effect
}

const isChanged = ({ decision, verdict }: RulesReplay.Replayed): boolean => {
  if (verdict === undefined) return false
  if (verdict.effect !== "ask") return RulesReplay.wasAsked(decision) || decision.effect !== verdict.effect
  // Without a rule, the settings answer what they answered then.
  return verdict.rule === undefined ? decision.by.type === "rule" : !RulesReplay.wasAsked(decision)
}

const counted = (all: ReadonlyArray<RulesReplay.Replayed>): ReadonlyArray<Change> => {
  const found = new Map<string, Change>()
  for (const { decision, verdict } of all) {
    const [before, now] = [beforeOf(decision), nowOf(verdict)]
    const change = found.get(`${before}|${now}`) ?? { before, now, count: 0 }
    change.count += 1
    found.set(`${before}|${now}`, change)
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count)
}

const jsonOf = ({ decision, verdict }: RulesReplay.Replayed) => ({
  sequence: decision.sequence,
  threadId: decision.threadId,
  title: decision.title,
  before: beforeOf(decision),
  now: nowOf(verdict),
  rule: verdict?.rule === undefined ? null : refOf(verdict.rule),
  why: verdict?.why ?? null
})

const changeColumns: ReadonlyArray<Column<Change>> = [
  { heading: "RECORDED", cell: ({ before }) => before },
  { heading: "NOW", cell: ({ now }) => now },
  { heading: "REQUESTS", cell: ({ count }) => String(count), right: true }
]

const columns: ReadonlyArray<Column<RulesReplay.Replayed>> = [
  { heading: "#", cell: ({ decision }) => String(decision.sequence), right: true },
  { heading: "RECORDED", cell: ({ decision }) => beforeOf(decision) },
  { heading: "NOW", cell: ({ verdict }) => nowOf(verdict) },
  { heading: "REQUEST", cell: ({ decision }) => oneLine(decision.title, 60) },
  { heading: "WHY", cell: ({ verdict }) => oneLine(verdict?.why ?? "", 120) }
]

const summary = (all: number, changed: number): string => {
  if (all === 0) return "No request is recorded that rules judge."
  const of = `of ${countText(all, "recorded request")}`
  return changed === 0 ? `None ${of} would have ended otherwise.` : `${changed} ${of} would have ended otherwise.`
}
