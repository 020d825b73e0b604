/** What carries a mark is ended on nothing but that mark, looked at right before. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { randomUUID } from "node:crypto"
import * as MarkedProcesses from "../src/MarkedProcesses.ts"
import { ofThisSystem } from "../src/ProcessFacts.ts"
import * as ProcessSweep from "../src/ProcessSweep.ts"
import { markerVariable, markOf } from "../src/ProcessLedger.ts"
import { groupMembers } from "./support/Groups.ts"
import { carriersOf, sleepers } from "./support/Sleepers.ts"

describe.skipIf(process.platform !== "linux")("a sweep", () => {
  it.live("ends what carries its mark, whatever signals it ignores, and nothing else", () =>
    Effect.gen(function* () {
      const [mine, others] = [randomUUID(), randomUUID()]
      const { child, pid } = yield* sleepers({ marker: mine, stubborn: "both" })
      yield* sleepers({ marker: others })
      yield* sleepers()
      const leftovers = yield* ProcessSweep.sweep(mine)
      assert.deepStrictEqual(
        leftovers?.ended.toSorted((one, other) => one.pid - other.pid),
        [
          { pid, name: "sh" },
          { pid: child, name: "sleep" }
        ]
      )
      assert.deepStrictEqual([leftovers?.kept, leftovers?.left], [[], []])
      assert.lengthOf(carriersOf(markerVariable, others), 2)
    })
  )

  it.live("ends what it has found, also when that sheds its mark on SIGTERM", () =>
    Effect.gen(function* () {
      const marker = randomUUID()
      const { pid } = yield* sleepers({ marker, sheds: true })
      const leftovers = yield* ProcessSweep.sweep(marker)
      assert.deepStrictEqual([leftovers?.ended.length, leftovers?.left, groupMembers(pid)], [2, [], []])
    })
  )

  it.live("serves many that end together", () =>
    Effect.gen(function* () {
      const markers = Array.from({ length: 20 }, () => randomUUID())
      yield* Effect.forEach(markers, (marker) => sleepers({ marker }))
      const swept = yield* Effect.forEach(markers, (marker) => ProcessSweep.sweep(marker), { concurrency: "unbounded" })
      for (const leftovers of swept) assert.strictEqual(leftovers?.ended.length, 2)
      for (const marker of markers) assert.deepStrictEqual(carriersOf(markerVariable, marker), [])
    })
  )

  it.live("finds nothing where nothing carries the mark", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ProcessSweep.sweep(randomUUID()), { ended: [], kept: [], left: [] })
    })
  )

  it.live("signals nobody whose number means another by now, or who does not carry the mark", () =>
    Effect.gen(function* () {
      const marker = randomUUID()
      const { pid } = yield* sleepers({ marker })
      const birth = ofThisSystem.birthOf(pid) ?? assert.fail("it does not live")
      const mark = markOf(marker)
      MarkedProcesses.signal(mark, { pid, birth: "another/birth" }, "SIGKILL")
      MarkedProcesses.signal(markOf(randomUUID()), { pid, birth }, "SIGKILL")
      assert.lengthOf(carriersOf(markerVariable, marker), 2)
      MarkedProcesses.signal(mark, { pid, birth }, "SIGKILL")
      // A killed process takes a moment to go.
      yield* Effect.sync(() => MarkedProcesses.find(mark).some((row) => row.pid === pid)).pipe(
        Effect.repeat({ while: (lives) => lives, schedule: Schedule.spaced("10 millis") }),
        Effect.timeout("60 seconds")
      )
    })
  )
})
