/**
 * `signalbox run --list-settings`: lists the settings of a session of this agent in this folder. It sends no prompt.
 */
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { oneLine } from "../../base/Plain.ts"
import { ProviderAdapterRegistry } from "../../provider/Services/ProviderAdapterRegistry.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { overdue } from "../terminal/Overdue.ts"
import * as RequestDesk from "./RequestDesk.ts"
import { begin, type SessionInput } from "./Run.ts"
import * as RunEvents from "./RunEvents.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import type { Terminal } from "../terminal/Terminal.ts"

/** Applies the settings given by flags first, since other settings may depend on them. */
export const listSettings = Effect.fn("ListSettings")(function* (
  input: SessionInput,
  terminal: Terminal,
  asJson: boolean
) {
  const adapter = (yield* ProviderAdapterRegistry).get(input.provider.kind)
  const threadId = ThreadId.make(randomUUID())
  const turnId = TurnId.make(randomUUID())
  const desk = yield* RequestDesk.open(adapter, { threadId, turnId, cwd: input.cwd }, input.approve, terminal)
  const events = yield* RunEvents.follow(adapter, turnId, () => undefined, desk)
  const { timeoutMs } = input
  const begun = begin(adapter, input, threadId, events).pipe(
    Effect.catchTag("ProviderError", ({ problem }) => failedWith(problem))
  )
  yield* timeoutMs === undefined
    ? begun
    : Effect.timeoutOrElse(begun, {
        duration: timeoutMs,
        orElse: () => failedWith(overdue(timeoutMs, events.progress.waitsFor()), ExitCode.timedOut)
      })
  const settings = events.settings()
  yield* adapter.stopSession(threadId)
  if (settings.length === 0 && !asJson) return terminal.err(`${oneLine(input.provider.name)} offers no settings.`)
  const lines = asJson ? settings.map((setting) => jsonText(setting)) : table(columns, settings.flatMap(rowsOf))
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
})

/** One value that a setting can have. */
interface Row {
  readonly settingId: string
  readonly current: boolean
  readonly value: string
  readonly name: string
  readonly group: string
}

/** The first and the third column hold what `--set` takes. */
const columns: ReadonlyArray<Column<Row>> = [
  { heading: "SETTING", cell: ({ settingId }) => oneLine(settingId) },
  { heading: "NOW", cell: ({ current }) => (current ? "*" : "") },
  { heading: "VALUE", cell: ({ value }) => oneLine(value) },
  { heading: "NAME", cell: ({ name }) => oneLine(name) },
  { heading: "GROUP", cell: ({ group }) => oneLine(group) }
]

const rowsOf = (setting: SessionSetting): ReadonlyArray<Row> => {
  const common = { settingId: setting.id, group: "" }
  switch (setting.type) {
    case "boolean":
      return [true, false].map((value) => ({
        ...common,
        current: setting.value === value,
        value: String(value),
        name: value ? setting.name : ""
      }))
    case "select": {
      const { value: now } = setting
      const rows = setting.groups.flatMap(({ choices, name: group = "" }) =>
        choices.map(({ name, value }) => ({ ...common, current: value === now, value, name, group }))
      )
      // Some agents report a current value that they do not offer.
      if (now === undefined || rows.some(({ current }) => current)) return rows
      return [{ ...common, current: true, value: now, name: "(not offered)" }, ...rows]
    }
    case "unknown":
      return [{ ...common, current: false, value: "", name: `${setting.name} (of a kind that is not known here)` }]
  }
}
