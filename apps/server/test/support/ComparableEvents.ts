/** Events of two runs of the same, so that they can be compared. */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as StableIds from "../../src/replay/StableIds.ts"
import * as WholeText from "../../src/replay/WholeText.ts"

/** Whole texts, ids by their order, without what a clock says. */
export const comparable = (events: ReadonlyArray<ProviderRuntimeEvent>): ReadonlyArray<unknown> => {
  const ids = StableIds.make()
  const whole = WholeText.make()
  return [...whole.push(events), ...whole.end()].map((event): unknown =>
    JSON.parse(ids.json(event), (key, value: unknown) =>
      key === "at" || key === "startedAt" || key === "endedAt" ? undefined : value
    )
  )
}
