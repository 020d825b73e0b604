/** A session that its agent does not know any more. */
import { assert, describe, it } from "@effect/vitest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { thread } from "../../support/AgentHarness.ts"
import { play, scripted } from "../../support/ScriptedAgent.ts"

const gone = { code: -32002, message: "Session not found" }
const prompt = { turnId: TurnId.make("t2"), prompt: [{ type: "text", text: "[]" }] } as const

describe("a session that its agent has lost", () => {
  it.live("[52] is reported by the prompt that failed, and the next one opens it again", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ load: { replay: [] } })
      const { resumeToken } = yield* agent.start()
      const { problem } = yield* play(agent, "t1", { error: gone })
      assert.strictEqual(problem?.code, "session-not-found")
      assert.include(problem?.title, "no longer has this session")
      assert.deepInclude(problem?.evidence, { method: "session/prompt", rpcCode: -32002 })
      // The prompt fails since there is no session, which has ended by then.
      const refusal = yield* Effect.flip(agent.adapter.sendTurn(thread, prompt))
      assert.strictEqual(refusal.problem.code, "session-not-found")
      assert.isTrue((yield* agent.next("session.exited")).expected)
      assert.strictEqual((yield* agent.start({ resume: resumeToken, knownPrompts: [] })).origin, "loaded")
      assert.strictEqual((yield* play(agent, "t3", { text: "back" })).outcome, "completed")
    })
  )

  it.live("[52] is reported by a setting that was not changed, too", () =>
    Effect.gen(function* () {
      const option = { id: "fast", name: "Fast", type: "boolean", currentValue: false }
      const agent = yield* scripted({ newSession: { configOptions: [option] }, refuseOptions: gone })
      yield* agent.start()
      const set = agent.adapter.setSetting(thread, "fast", true)
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* Effect.flip(set)).problem.code, "session-not-found")
      assert.isTrue((yield* agent.next("session.exited")).expected)
    })
  )

  it.live("[52] is none for what can't be found otherwise: the session goes on", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const failed = yield* play(agent, "t1", { error: { code: -32603, message: "Session not found" } })
      assert.strictEqual(failed.problem?.code, "request-failed")
      assert.strictEqual((yield* play(agent, "t2", { text: "here" })).outcome, "completed")
    })
  )
})
