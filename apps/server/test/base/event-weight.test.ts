/** What events weigh, and that finding it out costs once. */
import { assert, describe, it } from "@effect/vitest"
import { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { weightOf, weightOfLogged, weightOfOne } from "../../src/base/EventWeight.ts"

/** An event that counts how often its title is read. */
const counted = () => {
  let reads = 0
  const event: ThreadEvent = {
    type: "thread.renamed",
    threadId: ThreadId.make("t"),
    at: 1,
    get title() {
      reads += 1
      return "x".repeat(1000)
    }
  }
  return { event, reads: () => reads }
}

describe("the weight of an event", () => {
  it("is found out once, however often it is asked for", () => {
    const { event, reads } = counted()
    const weight = weightOfOne(event)
    assert.isAtLeast(weight, 1000)
    assert.strictEqual(weightOf([event, event]), 2 * weight)
    assert.strictEqual(weightOfLogged([{ sequence: Sequence.make(1), event }]), weight)
    assert.strictEqual(reads(), 1)
  })

  it("is that of each event for itself", () => {
    const { event } = counted()
    weightOfOne(event)
    const longer: ThreadEvent = { type: "thread.renamed", threadId: ThreadId.make("t"), at: 1, title: "x".repeat(3000) }
    assert.strictEqual(weightOfOne(longer), weightOfOne(event) + 2000)
  })
})
