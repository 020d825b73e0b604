import { assert, describe, it } from "@effect/vitest"
import { BootId } from "@signalbox/contracts/Ids"
import { withFrames } from "../src/connection/threadFrames.ts"
import { completed, created, dispatched, logged, queued, said, thread } from "./fixtures/thread.ts"

const events = [created, queued(1), dispatched(2), said(3, "Hel"), said(4, "lo"), completed(5)]
const all = logged(events)
const whole = thread(...events.slice(1))

describe("what the server sends about a thread", () => {
  it("amounts to the same in one frame and in many", () => {
    const many = all.map((event) => ({ type: "events" as const, events: [event] }))
    assert.deepStrictEqual(withFrames(undefined, [{ type: "events", events: all }]), whole)
    assert.deepStrictEqual(withFrames(undefined, many), whole)
  })

  it("goes on from a snapshot, which replaces what was known", () => {
    const snapshot = { type: "snapshot" as const, bootId: BootId.make("boot"), view: thread(...events.slice(1, 3)) }
    const known = thread(queued(1, "something else"))
    assert.deepStrictEqual(withFrames(known, [snapshot, { type: "events", events: all.slice(3) }]), whole)
  })

  it("is taken once when it comes twice", () => {
    assert.deepStrictEqual(withFrames(whole, [{ type: "events", events: all }]), whole)
    const half = thread(...events.slice(1, 4))
    assert.deepStrictEqual(withFrames(half, [{ type: "events", events: all.slice(2) }]), whole)
  })

  it("is refused when something is missing in between", () => {
    const gap = { type: "events" as const, events: all.slice(4) }
    assert.throws(() => withFrames(thread(queued(1)), [gap]), "Event 3 of this thread is missing.")
  })

  it("leaves a state as it is, the object too, when nothing is new", () => {
    assert.strictEqual(withFrames(whole, []), whole)
  })
})
