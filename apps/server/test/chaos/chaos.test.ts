import { assert, describe, it } from "@effect/vitest"
import { treat } from "@signalbox/stand-in-agents/chaos/Treatment"
import * as Effect from "effect/Effect"
import * as Batch from "../../chaos/Batch.ts"
import * as Campaign from "../../chaos/Campaign.ts"
import { seedsPerBatch } from "../../chaos/KillPoint.ts"
import * as Marker from "../../chaos/Marker.ts"
import { type Mutant, mutants } from "../../chaos/Mutant.ts"

const kills = 30

describe("a server that is killed again and again", () => {
  it.live(
    `keeps its promises over ${kills} kills`,
    () =>
      Effect.gen(function* () {
        const summary = yield* Campaign.run({ first: 0, count: kills / seedsPerBatch })
        assert.isEmpty(summary.failures, Campaign.describe(summary).join("\n"))
        assert.strictEqual(summary.kills, kills)
        // Otherwise the servers were not killed where they should have been, and this proved less than it says.
        assert.isAtLeast(summary.reached, (summary.kills * 2) / 3)
      }),
    300_000
  )
})

describe("chaos catches a server that drops text", () => {
  /** Its first life ends in the middle of a long stream. */
  const batch = 3

  for (const mutant of Object.keys(mutants) as ReadonlyArray<Mutant>)
    it.live(`one that ${mutant}`, () =>
      Effect.gen(function* () {
        const { broken } = yield* Batch.run(batch, { kills: 1, mutant })
        assert.include(
          broken.map(({ promise }) => promise),
          "2 text survives"
        )
      })
    )
})

describe("the marker of a turn", () => {
  const marker = Marker.make(820432, 0, 0)

  it("is found in text, and in bytes by its seed", () => {
    assert.deepStrictEqual(Marker.allIn(`a ${marker}1 b`), [marker])
    assert.isTrue(Marker.standsIn(Buffer.from(`a ${marker}1 b`), 820432))
    assert.isTrue(Marker.standsIn(Buffer.from(marker.slice(0, 12)), 820432))
    assert.isFalse(Marker.standsIn(Buffer.from(marker), 82043))
  })

  it("is nobody's when one byte of it is another", () => {
    const bytes = Buffer.from(marker)
    for (const place of bytes.keys())
      for (let byte = 0; byte < 256; byte++) {
        const garbled = Buffer.from(bytes)
        garbled[place] = byte
        const found = Marker.allIn(garbled.toString())
        assert.deepStrictEqual(found, garbled.equals(bytes) ? [marker] : [], garbled.toString())
      }
    assert.isFalse(Marker.standsIn(Buffer.from(marker.replace("820432", "820433")), 820433))
  })

  it("is never another's in a line that the proxy has garbled", () => {
    const line = Buffer.from(`{"text":"${marker}0 ${marker}1"}\n`)
    for (let number = 0; number < 20_000; number++) {
      const { bytes } = treat(820432, "toClient", number, line, undefined, {
        chances: { garble: 1 },
        delayMs: [0, 0],
        only: undefined
      })
      for (const found of Marker.allIn(bytes.toString())) assert.strictEqual(found, marker)
    }
  })
})
