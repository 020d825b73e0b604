/** Agents of the second version of the protocol, as people's settings name them, under the same adapter. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { ResumeToken, TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { fileURLToPath } from "node:url"
import { agentHarness, thread } from "../../support/AgentHarness.ts"
import { seen } from "../../support/ScriptedAgent.ts"

const script = fileURLToPath(new URL("../../../../../packages/acp/test/fixtures/sdk-v2-agent.mjs", import.meta.url))

const speaking = (protocol: 1 | 2, ...args: ReadonlyArray<string>) =>
  Effect.map(agentHarness(process.execPath, [script, ...args]), (agent) => ({
    ...agent,
    session: (more: { readonly resume?: ResumeToken } = {}) =>
      agent.start({
        ...more,
        providerOptions: { acp: { command: process.execPath, args: [script, ...args], protocol } }
      })
  }))

describe("an agent of version 2", () => {
  it.live("has its messages, its calls and its settings shown as those of any other", () =>
    Effect.gen(function* () {
      const agent = yield* speaking(2)
      yield* agent.session()
      assert.strictEqual((yield* agent.turn("t1", "messages")).outcome, "completed")
      assert.deepEqual((yield* seen(agent))[0], "says: Hello")
      yield* agent.turn("t2", "tools")
      assert.include(yield* seen(agent), "tool Edit: completed")
      const [model] = agent.of("settings.updated")[0]?.settings ?? []
      assert.strictEqual(model?.id, "model")
      yield* agent.set("model", "b")
    })
  )

  it.live("[92] asks for permission, whatever it is about, and gets the option that was chosen", () =>
    Effect.gen(function* () {
      const agent = yield* speaking(2)
      yield* agent.session()
      const turn = yield* Effect.forkChild(agent.turn("t1", "permissions"))
      const answered = new Set<string>()
      while (answered.size < 3) {
        const { request } = yield* agent.next("approval.requested", ({ request }) => !answered.has(request.requestId))
        answered.add(request.requestId)
        yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "maybe"))
      }
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      assert.strictEqual((yield* seen(agent)).at(-1), 'says: ["maybe","maybe","maybe"]')
    })
  )

  it.live("stops when it is told to, and fails with the reason that it gives", () =>
    Effect.gen(function* () {
      const agent = yield* speaking(2)
      yield* agent.session()
      const turn = yield* Effect.forkChild(agent.turn("t1", "wait"))
      yield* agent.next("tool.started")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      const failed = yield* agent.turn("t2", "fail")
      assert.deepEqual([failed.outcome, failed.problem?.evidence.rpcMessage], ["failed", "Out of tokens"])
    })
  )

  it.live(
    "of which we expect version 1 is told to be of another, and so is one of version 1 of which we expect the second",
    () =>
      Effect.gen(function* () {
        const tries = [
          [yield* speaking(1), "Put"],
          [yield* speaking(2, "old"), "Take"]
        ] as const
        for (const [agent, step] of tries) {
          const { problem } = yield* Effect.flip(agent.session())
          assert.match(problem.nextSteps[0]?.label ?? "", new RegExp(`^${step} "protocol": 2 `))
          assert.strictEqual(problem.code, "agent-too-old")
          assert.match(problem.title, /another version of the protocol/)
        }
      })
  )
})
