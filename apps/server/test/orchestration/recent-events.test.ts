/** What is remembered of a thread's latest events. */
import { assert, describe, it } from "@effect/vitest"
import { ItemId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as Schema from "effect/Schema"
import { weightOfOne } from "../../src/base/EventWeight.ts"
import * as RecentEvents from "../../src/orchestration/RecentEvents.ts"
import { delta, logged, warning, warnings } from "../support/ThreadEvents.ts"

const places = (events: ReadonlyArray<{ readonly sequence: number }> | undefined) =>
  events?.map(({ sequence }) => sequence)

describe("recent events", () => {
  it("are all events behind a place, none where there are none yet, and unknown ahead of the log", () => {
    const recent = RecentEvents.make(7)
    assert.deepStrictEqual(recent.after(7), [])
    assert.isUndefined(recent.after(6))
    assert.isUndefined(recent.after(8))
    recent.add(warnings(7, 3))
    assert.deepStrictEqual(places(recent.after(7)), [8, 9, 10])
    assert.deepStrictEqual(places(recent.after(9)), [10])
    assert.deepStrictEqual(recent.after(10), [])
    assert.isUndefined(recent.after(6))
    assert.isUndefined(recent.after(11))
  })

  it("are the latest 2,000", () => {
    const recent = RecentEvents.make(0)
    recent.add(warnings(0, 1500))
    recent.add(warnings(1500, 1501))
    assert.isUndefined(recent.after(1000))
    assert.deepStrictEqual(
      places(recent.after(1001)),
      Array.from({ length: 2000 }, (_, n) => 1002 + n)
    )
  })

  it("are no more than a megabyte, but always the latest", () => {
    const recent = RecentEvents.make(0)
    const long = delta("x".repeat(200_000))
    for (let n = 0; n < 8; n++) recent.add(logged(n, [long]))
    assert.isUndefined(recent.after(2))
    assert.deepStrictEqual(places(recent.after(3)), [4, 5, 6, 7, 8])
    recent.add(logged(8, [delta("x".repeat(3_000_000))]))
    assert.isUndefined(recent.after(7))
    assert.deepStrictEqual(places(recent.after(8)), [9])
    recent.add(warnings(9, 1))
    assert.deepStrictEqual(places(recent.after(9)), [10])
    assert.isUndefined(recent.after(8))
  })

  it("weigh all texts in them, whatever they are", () => {
    const k400 = "x".repeat(400_000)
    const { at, eventId, providerKind, providerSessionId, threadId } = warning("x")
    const common = { at, eventId, providerKind, providerSessionId, threadId }
    const events: ReadonlyArray<ThreadEvent> = [
      { ...common, type: "plan.updated", entries: [{ content: k400, priority: "low", status: "pending" }] },
      { ...common, type: "commands.updated", commands: [{ name: "x", description: k400 }] },
      { ...common, type: "runtime.warning", message: "x", detail: k400 },
      { ...common, type: "subagent.updated", itemId: ItemId.make("i"), name: "x", state: "running", said: k400 }
    ]
    for (const event of events) assert.isAtLeast(weightOfOne(event), 400_000, event.type)
  })

  it.prop(
    "have no gap, however they come",
    {
      start: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5000 })),
      sizes: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 900 }))),
      back: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3000 }))
    },
    ({ back, sizes, start }) => {
      const recent = RecentEvents.make(start)
      let last = start
      for (const size of sizes) {
        recent.add(warnings(last, size))
        last += size
      }
      const from = last - back
      const inReach = from >= start && back <= 2000
      assert.deepStrictEqual(
        places(recent.after(from)),
        inReach ? Array.from({ length: back }, (_, n) => from + n + 1) : undefined
      )
    }
  )
})
