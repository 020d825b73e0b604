/** A sub-agent with a session of its own, over a real process: what people see of it, and what they are asked by it. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { play, scripted, seen, told } from "../../support/ScriptedAgent.ts"
import { join } from "node:path"

const update = (sessionId: string, more: object) => ({
  notify: { method: "session/update", params: { sessionId, update: more } }
})
const says = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
const announce = (more: object) => ({ update: { sessionUpdate: "subagent_update", sessionId: "child", ...more } })

describe("a sub-agent", () => {
  it.live("[123] is one entry; what it says goes nowhere else, and what it asks is asked and answered", () =>
    Effect.gen(function* () {
      const log = join(yield* temporaryFolder, "log")
      const agent = yield* scripted({}, { env: { SCRIPTED_AGENT_LOG: log } })
      yield* agent.start()
      const permission = {
        jsonrpc: "2.0",
        id: "child's",
        method: "session/request_permission",
        params: {
          sessionId: "child",
          toolCall: { toolCallId: "c1", title: "rm -r build", kind: "execute" },
          options: [{ optionId: "go", name: "Go", kind: "allow_once" }]
        }
      }
      const turn = yield* Effect.forkChild(
        play(
          agent,
          "t1",
          announce({ title: "Cleaner", description: "Clean up", state: { state: "running" } }),
          update("child", says("I begin. ")),
          update("child", { sessionUpdate: "tool_call", toolCallId: "c1", title: "rm -r build" }),
          { message: permission },
          { wait: 60_000 }
        )
      )
      const { request } = yield* agent.next("approval.requested")
      assert.strictEqual(request.tool.title, "rm -r build")
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "go"))
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      yield* Fiber.join(turn)
      const answer = told(log).find((message) => message["id"] === "child's")
      assert.deepStrictEqual(answer?.["result"], { outcome: { outcome: "selected", optionId: "go" } })
      yield* play(
        agent,
        "t2",
        update("child", says("It is clean.")),
        announce({ state: { state: "idle", stopReason: "end_turn" } }),
        { text: "Done." }
      )
      const entries = yield* seen(agent)
      assert.include(entries, "subagent Cleaner: completed")
      assert.strictEqual(entries.filter((entry) => entry.includes("subagent")).length, 1)
      assert.isEmpty(entries.filter((entry) => /unknown|I begin|It is clean/.test(entry)))
      assert.strictEqual(agent.of("subagent.updated").at(-1)?.said, "It is clean.")
    })
  )
})
