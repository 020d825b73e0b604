/** Turns that were stopped, and that agents end in their own way. */
import { assert, describe, it } from "@effect/vitest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { play as run } from "../cli/support/Runs.ts"
import { call } from "../cli/support/Signalbox.ts"
import { thread } from "../support/AgentHarness.ts"
import { change, call as tool, play, scripted, seen } from "../support/ScriptedAgent.ts"
import { opencodeStopped } from "./scenarios/opencode-stopped.ts"

/** Stops a turn as soon as this event of it is there; how it ended. */
const stoppedAt = Effect.fnUntraced(function* (
  type: "turn.started" | "message.delta" | "thought.delta" | "tool.started",
  ...before: ReadonlyArray<object>
) {
  const agent = yield* scripted(opencodeStopped)
  yield* agent.start()
  const turn = yield* Effect.forkChild(play(agent, "t1", ...before, { waitForCancel: true }))
  yield* agent.next(type)
  yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
  const { outcome, stopReason } = yield* Fiber.join(turn)
  const told = (yield* seen(agent)).includes(`warning: Agent ${doubt}`)
  return [outcome, stopReason, told ? "told" : "not told"]
})

const doubt = "was asked to stop, and says that it was done. Its last message may be cut off."

describe("a turn that was stopped and that its agent calls done", () => {
  it.live("is stopped where nothing came of it", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* stoppedAt("turn.started"), ["cancelled", "end_turn", "not told"])
    })
  )

  it.live("is what the agent says if something came of it, and that is reported", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* stoppedAt("message.delta", { text: "Hello" }), ["completed", "end_turn", "told"])
      assert.deepEqual(yield* stoppedAt("thought.delta", { thought: "Hm" }), ["completed", "end_turn", "told"])
      const calls = [tool("c1"), change("c1", { status: "completed" })]
      assert.deepEqual(yield* stoppedAt("tool.started", ...calls), ["completed", "end_turn", "told"])
    })
  )

  it.live("is done where nobody stopped it, also without a word", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const { outcome } = yield* play(agent, "t1", { stop: "end_turn" })
      assert.strictEqual(outcome, "completed")
    })
  )

  it.live("is reported on the terminal as out of time, with the exit code for that", () =>
    Effect.gen(function* () {
      const ended = yield* call(run([{ waitForCancel: true }], "--timeout", "6"), {
        env: { SCRIPTED_AGENT: JSON.stringify(opencodeStopped) }
      })
      assert.strictEqual(ended.code, 6, ended.stderr)
      assert.include(ended.stderr, "Timed out after 6 s.")
    })
  )
})
