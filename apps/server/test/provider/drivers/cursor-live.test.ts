/**
 * A smoke test of Cursor itself: with `SIGNALBOX_CURSOR_LIVE=1` it drives the `cursor-agent` (or `agent`) in PATH, logged in, and costs
 * a few tokens. Always it drives the emulator, so that the test itself is known to work.
 */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as CursorProfile from "../../../src/provider/drivers/cursor/CursorProfile.ts"
import { type AgentOptions, cursorHarness, thread } from "../../support/AgentHarness.ts"

const smoke = (options: AgentOptions = {}) =>
  Effect.gen(function* () {
    const agent = yield* cursorHarness(options)
    const session = yield* agent.start()
    assert.strictEqual(session.origin, "new")
    assert.isAbove(agent.of("settings.updated").length, 0)

    const turn = yield* Effect.forkChild(
      agent.turn("smoke", "run `echo signalbox-smoke` in a shell and tell me what it printed")
    )
    // A Cursor whose allowlist has echo does not ask.
    const asked = yield* Effect.raceFirst(
      Effect.map(agent.next("approval.requested"), ({ request }) => request),
      Effect.as(Fiber.await(turn), undefined)
    )
    if (asked !== undefined) {
      const once = asked.options.find(({ kind }) => kind === "allow_once")
      assert.isDefined(once)
      yield* agent.adapter.respondToRequest(thread, asked.requestId, optionOf(asked, once?.optionId ?? ""))
    }
    const end = yield* Fiber.join(turn)
    assert.deepStrictEqual([end.outcome, end.stopReason], ["completed", "end_turn"])
    assert.isAbove(agent.of("message.delta").length, 0)
    assert.isTrue(agent.of("tool.completed").some(({ tool }) => tool.kind === "execute"))
    yield* agent.adapter.stopSession(thread)
    assert.isTrue((yield* agent.next("session.exited")).expected)
  })

describe("Cursor, from start to stop", () => {
  it.live("the emulator", () => smoke())

  it.live.runIf(process.env["SIGNALBOX_CURSOR_LIVE"] === "1")(
    "the one that is installed",
    () => Effect.flatMap(CursorProfile.make, (profile) => smoke({ profile })).pipe(Effect.provide(NodeServices.layer)),
    180_000
  )
})
