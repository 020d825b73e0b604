import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Batch from "../chaos/Batch.ts"
import * as Campaign from "../chaos/Campaign.ts"

const seeds = 200

describe("a server that is killed again and again", () => {
  it.live(
    `keeps its promises in ${seeds} threads`,
    () =>
      Effect.gen(function* () {
        const summary = yield* Campaign.run({ first: 0, count: seeds / Batch.seedsPerBatch })
        assert.isEmpty(summary.failures, Campaign.describe(summary).join("\n"))
        // Otherwise the servers were not killed where they should have been, and this proved less than it says.
        assert.isAtLeast(summary.reached, summary.kills / 2)
      }),
    300_000
  )
})
