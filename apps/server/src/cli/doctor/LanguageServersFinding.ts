/** The language servers of this machine: which the settings turn on, and which they could. */
import type { Settings } from "@signalbox/contracts/Settings"
import * as KnownServers from "@signalbox/ide/servers/KnownServers"
import * as Effect from "effect/Effect"
import { oneLine } from "../../base/Plain.ts"
import * as LanguagePool from "../../language/LanguagePool.ts"
import type { Finding } from "../server/StateReport.ts"

/** An entry that can't be used is bad. A machine without language servers is not. */
export const of = Effect.fnUntraced(function* (settings: Pick<Settings, "languageServers">): Effect.fn.Return<Finding> {
  const path = process.env["PATH"] ?? ""
  const { definitions, unusable } = yield* LanguagePool.turnedOn(settings, path)
  const found = yield* KnownServers.find(path)
  const off = found.definitions.filter(
    ({ id }) => settings.languageServers[id]?.off ?? !(id in settings.languageServers)
  )
  const lines = [
    ...definitions.map(({ command, id, name }) => `${nameOf(id, name)}: on, ${oneLine(command, 200)}`),
    ...unusable.map(({ id, why }) => `${id}: can't be used. ${oneLine(why, 300)}`),
    ...(off.length === 0 ? [] : [`found here, and turned off: ${off.map(({ id }) => id).join(", ")}`])
  ]
  return {
    name: "Language",
    lines: lines.length === 0 ? ["no language server is turned on or found here"] : lines,
    ...(unusable.length > 0 && { bad: true })
  }
})

const nameOf = (id: string, name: string): string => (name === id ? id : `${oneLine(name, 60)} (${id})`)
