/** Odd things on the wire, and what people see of them. */
import { assert, describe, it } from "@effect/vitest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { play, scripted, seen, told } from "../../support/ScriptedAgent.ts"

const started = Effect.fnUntraced(function* (setup: object = {}, env: Readonly<Record<string, string>> = {}) {
  const agent = yield* scripted(setup, { env })
  yield* agent.start()
  return agent
})

describe("on the wire", () => {
  it.live("an error that answers nothing is reported, and the turn goes on", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const parseError = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }
      const end = yield* play(agent, "t1", { text: "a" }, { message: parseError }, { text: "b" })
      assert.strictEqual(end.outcome, "completed")
      const [, warning] = yield* seen(agent)
      assert.match(warning ?? "", /^warning: Agent answered something that was not asked\. \(.*-32700/)
      assert.strictEqual(
        agent
          .of("message.delta")
          .map(({ text }) => text)
          .join(""),
        "ab"
      )
    })
  )

  it.live("requests and notifications that nobody knows are refused or ignored, and the turn goes on", () =>
    Effect.gen(function* () {
      const log = join(yield* temporaryFolder, "log")
      const agent = yield* started({}, { SCRIPTED_AGENT_LOG: log })
      const end = yield* play(
        agent,
        "t1",
        { notify: { method: "_vendor/telemetry", params: { mood: "fine" } } },
        { notify: { method: "window/logMessage", params: {} } },
        { request: { method: "_vendor/ask", params: { deep: true } } },
        { request: { method: "session/teleport", params: {} } }
      )
      assert.strictEqual(end.outcome, "completed")
      const [words] = yield* seen(agent)
      assert.strictEqual(words?.split("-32601").length, 3)
      const answers = told(log).filter(({ method }) => method === undefined)
      assert.strictEqual(answers.length, 2, "a notification is not answered")
    })
  )

  it.live("a file that it writes though we never offered that is not written, and it gets an error", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const path = join(agent.folder, "new.txt")
      yield* play(agent, "t1", { request: { method: "fs/write_text_file", params: { path, content: "x" } } })
      assert.include((yield* seen(agent))[0], "-32601")
      assert.isFalse(existsSync(path))
    })
  )

  it.live("[56] an agent that would cancel, queue or fail its first prompt for a second never gets one", () =>
    Effect.gen(function* () {
      const log = join(yield* temporaryFolder, "log")
      const agent = yield* started({}, { SCRIPTED_AGENT_LOG: log })
      const first = yield* Effect.forkChild(play(agent, "t1", { text: "working" }, { waitForCancel: true }))
      yield* agent.next("message.delta")
      const second = { turnId: TurnId.make("t2"), prompt: [{ type: "text", text: "[]" }] } as const
      const { problem } = yield* Effect.flip(agent.adapter.sendTurn(thread, second))
      assert.strictEqual(problem.code, "turn-in-flight")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(first)).outcome, "cancelled")
      yield* agent.adapter.sendTurn(thread, second)
      assert.strictEqual(told(log).filter(({ method }) => method === "session/prompt").length, 2)
    })
  )

  it.live("[60] a refusal ends the turn as refused, and the next prompt works", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const refused = yield* play(agent, "t1", { text: "I would rather not." }, { stop: "refusal" })
      assert.deepEqual([refused.outcome, refused.stopReason], ["refused", "refusal"])
      const { turns } = yield* agent.adapter.readThread(thread)
      assert.strictEqual(turns[0]?.status, "refused", "what the agent has dropped stands under a turn that says so")
      assert.strictEqual((yield* play(agent, "t2", { text: "Gladly." })).outcome, "completed")
    })
  )

  it.live("[15] what it writes to stderr is never taken for the protocol", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const stop = JSON.stringify({ jsonrpc: "2.0", id: 3, result: { stopReason: "refusal" } })
      const words = JSON.stringify({
        jsonrpc: "2.0",
        method: "session/update",
        params: {
          sessionId: "s",
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } }
        }
      })
      const end = yield* play(agent, "t1", { stderr: words }, { stderr: stop }, { text: "said" })
      assert.strictEqual(end.outcome, "completed")
      assert.deepEqual(yield* seen(agent), ["says: said"])
    })
  )
})
