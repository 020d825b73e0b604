/** `signalbox settings`: the settings that people chose last in threads. New threads begin with them. */
import { ProviderId } from "@signalbox/contracts/Provider"
import type { RememberedFilter, RememberedSetting } from "@signalbox/contracts/RememberedSetting"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import { oneLine } from "../../base/Plain.ts"
import { usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import * as ServerClient from "../server/ServerClient.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

interface Flags {
  readonly stateDir: Option.Option<string>
  readonly provider: Option.Option<string>
  readonly cwd: Option.Option<string>
}

const serverOf = ({ stateDir }: Flags) => Effect.flatMap(StateFolder.of(stateDir), ServerClient.ofRunning)

const filterOf = ({ cwd, provider }: Flags): RememberedFilter => ({
  ...(Option.isSome(provider) && { providerId: ProviderId.make(provider.value) }),
  ...(Option.isSome(cwd) && { cwd: resolve(cwd.value) })
})

export const listRemembered = Effect.fn("Settings.list")(function* (flags: Flags & { readonly json: boolean }) {
  const server = yield* serverOf(flags)
  const rows = yield* ServerClient.inOurWords(server)(server.client.listRememberedSettings({ filter: filterOf(flags) }))
  if (rows.length === 0 && !flags.json) return Terminal.err("Nothing is remembered.")
  const lines = flags.json ? rows.map((row) => jsonText(row)) : table(columns, rows)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
}, Effect.scoped)

const columns: ReadonlyArray<Column<RememberedSetting>> = [
  { heading: "AGENT", cell: ({ providerId }) => oneLine(providerId) },
  { heading: "FOLDER", cell: ({ cwd }) => oneLine(cwd, 400) },
  { heading: "SETTING", cell: ({ settingId }) => oneLine(settingId) },
  { heading: "VALUE", cell: ({ value }) => oneLine(String(value)) }
]

export const forget = Effect.fn("Settings.forget")(function* (
  flags: Flags & { readonly all: boolean; readonly setting: Option.Option<string> }
) {
  const { all, setting } = flags
  const filter = { ...filterOf(flags), ...(Option.isSome(setting) && { settingId: setting.value }) }
  if (all === Object.keys(filter).length > 0)
    return yield* usage("settings forget", "Say which: a setting, --provider, --cwd; or --all and nothing else.")
  const server = yield* serverOf(flags)
  const count = yield* ServerClient.inOurWords(server)(server.client.forgetSettings({ filter }))
  Terminal.err(count === 1 ? "1 setting is forgotten." : `${count} settings are forgotten.`)
}, Effect.scoped)
