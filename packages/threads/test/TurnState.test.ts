/** The life of a turn: it goes one way, it can always end, and an end is an end. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as TurnState from "../src/TurnState.ts"
import { TurnStatus } from "@signalbox/contracts/ThreadView"

const statuses = TurnStatus.literals
const ends = ["completed", "cancelled", "refused", "limited", "failed", "lost"] as const
const steps = ["dispatched", "sign", "asked", "unblocked", "stopped"] as const

/** How far along the way; `working` and `waiting` take turns, and an end is behind all of them. */
const along: Partial<Record<TurnStatus, number>> = { queued: 0, sent: 1, working: 2, waiting: 2, cancelling: 3 }
const distance = (status: TurnStatus): number => along[status] ?? 4

const living = statuses.filter((status) => !TurnState.hasEnded(status))

describe("a turn", () => {
  it("is over, with the agent, or waiting to be sent", () => {
    assert.sameMembers(
      statuses.filter((status) => TurnState.hasEnded(status)),
      [...ends]
    )
    assert.sameMembers(living, ["queued", "sent", "working", "waiting", "cancelling"])
    assert.sameMembers(
      statuses.filter((status) => TurnState.isRunning(status)),
      ["sent", "working", "waiting", "cancelling"]
    )
  })

  it("can end in every way from wherever it is", () => {
    for (const status of living) for (const end of ends) assert.strictEqual(TurnState.after(status, end), end)
  })

  it("that is over stays as it is", () => {
    for (const end of ends)
      for (const signal of [...steps, ...ends]) assert.isUndefined(TurnState.after(end, signal), `${end}, ${signal}`)
  })

  it("that waits to be sent is not moved by anything but being sent, or an end", () => {
    for (const step of steps)
      assert.strictEqual(TurnState.after("queued", step), step === "dispatched" ? "sent" : undefined)
  })

  it("that was stopped only ends: nothing that the agent still does or asks takes Stop back", () => {
    for (const status of ["sent", "working", "waiting"] as const)
      assert.strictEqual(TurnState.after(status, "stopped"), "cancelling")
    for (const step of steps) assert.isUndefined(TurnState.after("cancelling", step))
  })

  it("that is asked about waits, from the first sign on, and goes on when nothing is open any more", () => {
    for (const status of ["sent", "working"] as const) assert.strictEqual(TurnState.after(status, "asked"), "waiting")
    assert.isUndefined(TurnState.after("waiting", "sign"))
    assert.strictEqual(TurnState.after("waiting", "unblocked"), "working")
  })

  it.prop(
    "never goes back, whatever it is told and in whichever order",
    { signals: Schema.Array(Schema.Literals([...steps, ...ends])) },
    ({ signals }) => {
      let status: TurnStatus = "queued"
      for (const signal of signals) {
        const next = TurnState.after(status, signal)
        if (next === undefined) continue
        assert.notStrictEqual(next, status)
        assert.isAtLeast(distance(next), distance(status), `${status}, ${signal}`)
        status = next
      }
      const firstEnd = signals.find((signal) => ends.some((end) => end === signal))
      if (firstEnd !== undefined) assert.strictEqual<string>(status, firstEnd)
    },
    { arbitrary: { runs: 500 } }
  )
})
