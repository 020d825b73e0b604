/** `signalbox audit list`: decisions, latest first. */
import type { AuditDecider, AuditDecision, AuditEffect, AuditFilter, AuditRow } from "@signalbox/contracts/Audit"
import { ProviderId, ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AuditReader from "../../audit/AuditReader.ts"
import { oneLine } from "../../base/Plain.ts"
import { auditIn } from "../../base/StateDirectory.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as AuditProblem from "./AuditProblem.ts"
import * as Since from "./Since.ts"

export interface ListFlags {
  readonly stateDir: Option.Option<string>
  readonly thread: Option.Option<string>
  readonly agent: Option.Option<string>
  readonly effect: Option.Option<AuditEffect>
  readonly rule: Option.Option<string>
  readonly by: Option.Option<AuditDecider["type"]>
  readonly since: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}

export const listDecisions = Effect.fn("Audit.list")(function* (flags: ListFlags) {
  const { json, limit } = flags
  if (limit < 1) return yield* usage("audit list", "--limit takes a number greater than 0.")
  const path = auditIn(yield* StateFolder.of(flags.stateDir))
  const filter = yield* filterOf(path, flags)
  const { next, rows, unreadable } = yield* Effect.mapError(AuditReader.page(path, { filter, limit }), AuditProblem.of)
  const lines = json ? rows.map((row) => jsonText(row)) : rows.length === 0 ? [] : table(columns, rows)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  if (json) return
  if (rows.length === 0)
    Terminal.err(
      Object.keys(filter).length === 0 ? "No decision is recorded yet." : "No decision is recorded that fits."
    )
  if (next !== undefined) Terminal.err(`There are earlier ones: --limit ${limit * 2} shows more.`)
  if (unreadable > 0) Terminal.err(`${unreadable} entries can't be read: signalbox audit verify names the first.`)
})

const filterOf = Effect.fnUntraced(function* (path: string, flags: ListFlags) {
  const { agent, by, effect, rule, since, thread } = flags
  const threadId = Option.isNone(thread) ? undefined : yield* threadOf(path, thread.value)
  const from = Option.isNone(since) ? undefined : yield* Since.of("audit list", since.value)
  const filter: AuditFilter = {
    ...(threadId !== undefined && { threadId }),
    ...(Option.isSome(agent) && { agent: ProviderId.make(agent.value) }),
    ...(Option.isSome(effect) && { effect: effect.value }),
    ...(Option.isSome(rule) && { rule: rule.value }),
    ...(Option.isSome(by) && { by: by.value }),
    ...(from !== undefined && { since: from })
  }
  return filter
})

const threadOf = Effect.fnUntraced(function* (path: string, beginning: string) {
  const found = yield* Effect.mapError(AuditReader.threadsLike(path, beginning), AuditProblem.of)
  if (found.length > 1) return yield* usage("audit list", `Several threads begin with ${beginning}:`, found)
  return ThreadId.make(found[0] ?? beginning)
})

const effects: Readonly<Record<AuditEffect, string>> = { allow: "allowed", deny: "denied", none: "" }

const outcomeText = ({ answer, effect, outcome }: AuditDecision): string => {
  if (outcome !== "answered") return outcome
  return effects[effect] === "" ? oneLine(answer ?? "answered", 40) : effects[effect]
}

const byText = (by: AuditDecider): string => {
  switch (by.type) {
    case "person":
      return by.client === undefined
        ? "you"
        : `you, ${by.client.kind}${by.client.name === undefined ? "" : ` ${by.client.name}`}`
    case "rule":
      return by.rule.source === "built-in" ? "a built-in rule" : `rule ${by.rule.number} (${by.rule.id})`
    case "settings":
      return by.profile === undefined ? "settings" : `profile ${by.profile}`
    case "flag":
      return by.flag
    case "nobody":
      return "nobody"
  }
}

const endText = ({ end }: AuditRow): string => {
  if (end === undefined) return ""
  return end.exitCode === undefined ? end.status : `${end.status}, exit code ${end.exitCode}`
}

const columns: ReadonlyArray<Column<AuditRow>> = [
  { heading: "#", cell: ({ decision }) => String(decision.sequence), right: true },
  { heading: "TIME (UTC)", cell: ({ decision }) => new Date(decision.at).toISOString().slice(0, 19).replace("T", " ") },
  { heading: "AGENT", cell: ({ decision }) => oneLine(decision.agent, 20) },
  { heading: "KIND", cell: ({ decision }) => decision.kind },
  { heading: "RESULT", cell: ({ decision }) => outcomeText(decision) },
  { heading: "BY", cell: ({ decision }) => oneLine(byText(decision.by), 40) },
  { heading: "THEN", cell: endText },
  { heading: "REQUEST", cell: ({ decision }) => oneLine(decision.title, 100) }
]
