/** The latest health report of the server and its agents. */
import type { Health } from "@signalbox/contracts/Health"
import { following } from "./calls.ts"
import { makeStore, type Store } from "../browser/Store.ts"

/** Undefined until the first report. */
export const health: Store<Health | undefined> = makeStore<Health | undefined>(undefined)

export const followHealth = following(
  (client) => client.watchHealth(),
  (reports) => {
    const latest = reports.at(-1)
    if (latest) health.set(latest)
  }
)
