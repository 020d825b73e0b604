/** Events of two runs of the same, so that they can be compared. */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as StableIds from "../../src/replay/StableIds.ts"
import * as WholeText from "../../src/replay/WholeText.ts"

/** What a clock says, and what the rules and files of a machine say of a request: a replay asks neither. */
const ofItsTime = new Set(["at", "startedAt", "endedAt", "judgement", "offers"])

/** Whole texts, ids by their order, without what only the first run can know. */
export const comparable = (events: ReadonlyArray<ProviderRuntimeEvent>): ReadonlyArray<unknown> => {
  const ids = StableIds.make()
  const whole = WholeText.make()
  return [...whole.push(events), ...whole.end()].map((event): unknown =>
    JSON.parse(ids.json(event), (key, value: unknown) => (ofItsTime.has(key) ? undefined : value))
  )
}
