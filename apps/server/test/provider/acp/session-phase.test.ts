/** The life of a session at its adapter: it goes to its end, and an end is an end. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SessionPhase from "../../../src/provider/acp/session/SessionPhase.ts"

const phases = ["starting", "ready", "refused", "lost", "silent", "stopping", "ended"] as const
const signals = ["announced", "accepted", "refused", "forgotten", "silenced", "stopped", "reported"] as const

/** Every move that is allowed; all others change nothing. */
const allowed: ReadonlyArray<
  readonly [SessionPhase.SessionPhase, SessionPhase.SessionSignal, SessionPhase.SessionPhase]
> = [
  ["starting", "announced", "ready"],
  ["ready", "refused", "refused"],
  ["ready", "forgotten", "lost"],
  ["refused", "accepted", "ready"],
  ["refused", "forgotten", "lost"],
  ["lost", "accepted", "ready"],
  ["lost", "refused", "refused"],
  ...(["starting", "ready", "refused", "lost"] as const).flatMap(
    (phase) =>
      [
        [phase, "silenced", "silent"],
        [phase, "stopped", "stopping"]
      ] as const
  ),
  ["silent", "stopped", "stopping"],
  ["silent", "reported", "ended"],
  ["stopping", "reported", "ended"]
]

describe("a session", () => {
  it("moves as the table allows, and in no other way", () => {
    for (const phase of phases)
      for (const signal of signals) {
        const move = allowed.find(([from, by]) => from === phase && by === signal)
        assert.strictEqual(SessionPhase.after(phase, signal), move?.[2], `${phase}, ${signal}`)
      }
  })

  it("can be asked for something until its output ends or we end it", () => {
    assert.deepStrictEqual(phases.filter(SessionPhase.isOver), ["silent", "stopping", "ended"])
  })

  it("says of a signal whether it changed something, so that each end has one teller", () => {
    const session = { phase: "ready" as SessionPhase.SessionPhase }
    assert.isTrue(SessionPhase.send(session, "stopped"))
    assert.isFalse(SessionPhase.send(session, "stopped"))
    assert.isTrue(SessionPhase.send(session, "reported"))
    assert.isFalse(SessionPhase.send(session, "reported"))
    assert.strictEqual(session.phase, "ended")
  })

  it.prop(
    "never comes back once it is over, and can always end",
    { told: Schema.Array(Schema.Literals(signals)) },
    ({ told }) => {
      const session = { phase: "starting" as SessionPhase.SessionPhase }
      let over = false
      for (const signal of told) {
        SessionPhase.send(session, signal)
        assert.isTrue(!over || SessionPhase.isOver(session.phase))
        over = SessionPhase.isOver(session.phase)
      }
      SessionPhase.send(session, "stopped")
      SessionPhase.send(session, "reported")
      assert.strictEqual(session.phase, "ended")
    },
    { arbitrary: { runs: 500 } }
  )
})
