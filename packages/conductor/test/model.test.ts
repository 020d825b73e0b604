/** Random chains, traffic, cancellations and deaths, against a plain list: what each end has to hear, and in which order. */
import { assert, describe, it } from "@effect/vitest"
import * as Oracle from "./model/Oracle.ts"
import * as Play from "./model/Play.ts"
import { Scenario } from "./model/Scenario.ts"

/** Another number plays other cases: `SIGNALBOX_MODEL_SEED=7 SIGNALBOX_MODEL_RUNS=5000`. */
const seed = Number(process.env["SIGNALBOX_MODEL_SEED"] ?? 1)
const runs = Number(process.env["SIGNALBOX_MODEL_RUNS"] ?? 120)

describe(`Any chain (seed ${seed})`, () => {
  it.prop(
    "brings everything to whom it is for, once and in order, and ends when a component dies",
    { scenario: Scenario },
    ({ scenario }) => {
      const complaints = Oracle.complaints(scenario, Play.play(scenario))
      if (complaints.length > 0) assert.fail(complaints.join("\n"))
    },
    { arbitrary: { runs, size: 150, seed, maxShrinks: 1500 } }
  )
})
