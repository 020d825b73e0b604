import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { RequestId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { cursorHarness, thread } from "../../support/AgentHarness.ts"

describe("AcpSession over the emulator", () => {
  it.live("streams thoughts and text and ends the turn after them", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const session = yield* agent.start()
      assert.strictEqual(session.origin, "new")
      assert.strictEqual(agent.directory.get(thread)?.resumeToken, session.resumeToken)
      const end = yield* agent.turn("t1", "hello there")
      assert.strictEqual(end.outcome, "completed")
      assert.strictEqual(end.stopReason, "end_turn")
      const text = agent
        .of("message.delta")
        .map((event) => event.text)
        .join("")
      assert.include(text, "hello there")
      assert.isNotEmpty(agent.of("thought.delta"))
      assert.isTrue(agent.of("message.delta").every(({ turnId }) => turnId === "t1"))
    })
  )

  it.live("answers a permission with the option that was chosen, once", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", '[[fake:shell cmd="echo hi"]]'))
      const { request } = yield* agent.next("approval.requested")
      assert.deepStrictEqual(request.tool.subject, { type: "command", command: "echo hi" })
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "allow-once"))
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "allow-once"))
      const late = yield* Effect.flip(
        agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "reject-once"))
      )
      assert.strictEqual(late.problem.code, "request-closed")
      const unknown = yield* Effect.flip(
        agent.adapter.respondToRequest(thread, RequestId.make("nobody"), { type: "option", optionId: "allow-once" })
      )
      assert.strictEqual(unknown.problem.code, "request-closed")
      const end = yield* Fiber.join(turn)
      assert.strictEqual(end.outcome, "completed")
      const [done] = agent.of("tool.completed")
      assert.strictEqual(done?.tool.status, "completed")
      assert.strictEqual(done?.tool.result?.exitCode, 0)
    })
  )
})
