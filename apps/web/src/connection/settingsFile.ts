/** The file of settings that people write, as the server last read it. */
import type { SettingsReport } from "@signalbox/contracts/SettingsReport"
import { following } from "./calls.ts"
import { makeStore, type Store } from "../browser/Store.ts"

/** Undefined until the server's first report. */
export const settingsFile: Store<SettingsReport | undefined> = makeStore<SettingsReport | undefined>(undefined)

export const followSettingsFile = following(
  (client) => client.watchSettings(),
  (reports) => {
    const latest = reports.at(-1)
    if (latest) settingsFile.set(latest)
  }
)
