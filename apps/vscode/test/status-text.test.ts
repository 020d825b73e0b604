import { assert, describe, it } from "@effect/vitest"
import { statusOf } from "../src/status/StatusText.ts"

describe("the status bar", () => {
  it("says that nothing is connected before it says anything else", () => {
    assert.strictEqual(statusOf(undefined).text, "Signalbox: not connected")
  })

  it("says what waits before what works, and counts each", () => {
    const waiting = { title: "A", status: "waiting", waitingFor: "approval" } as const
    const working = { title: "B", status: "working" } as const
    assert.deepStrictEqual(statusOf([working, waiting, waiting]), {
      text: "Signalbox: 2 waiting",
      tooltip: "Waiting for you:\nA\nA",
      isWaiting: true
    })
    assert.strictEqual(statusOf([working, { title: "C", status: "cancelling" }]).text, "Signalbox: 2 working")
  })

  it("takes neither a queue nor an end for work", () => {
    for (const status of ["queued", "completed", "failed", "lost", "cancelled"] as const)
      assert.strictEqual(statusOf([{ title: "A", status }]).text, "Signalbox: idle", status)
    assert.strictEqual(statusOf([{ title: "A" }]).text, "Signalbox: idle")
  })

  it("lists ten titles and counts the rest", () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({ title: `T${at}`, status: "working" as const }))
    assert.deepStrictEqual(statusOf(rows).tooltip.split("\n").slice(-2), ["T9", "and 2 more"])
  })
})
