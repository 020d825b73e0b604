/** What agents ask permission for, and how. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Harness } from "../../support/AgentHarness.ts"
import { thread } from "../../support/AgentHarness.ts"
import { call, change, play, scripted, seen } from "../../support/ScriptedAgent.ts"

const started = Effect.fnUntraced(function* (setup: object = {}) {
  const agent = yield* scripted(setup)
  yield* agent.start()
  return agent
})

const asks = (toolCall: object, ...options: ReadonlyArray<readonly [string, string, string?]>) => ({
  permission: {
    toolCall,
    options: options.map(([optionId, name, kind]) => ({ optionId, name, ...(kind !== undefined && { kind }) }))
  }
})

const answer = Effect.fnUntraced(function* (agent: Harness, optionId: string) {
  const { request } = yield* agent.next("approval.requested")
  yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, optionId))
  return request
})

describe("permission", () => {
  it.live("for a call that was never announced is asked with what the request says of it", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const toolCall = { toolCallId: "t", title: "Delete it", kind: "delete", rawInput: { file_path: "/tmp/x" } }
      const turn = yield* Effect.forkChild(play(agent, "t1", asks(toolCall, ["yes", "Yes", "allow_once"])))
      const { tool } = yield* answer(agent, "yes")
      assert.deepEqual([tool.title, tool.kind, tool.subject], ["Delete it", "delete", { type: "file", path: "/tmp/x" }])
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      assert.deepEqual(yield* seen(agent), ["approval answered yes", "says: permission yes"])
    })
  )

  it.live("what the agent says before a request, while it is open and after its answer are messages of their own", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const ask = (id: string) => asks({ toolCallId: id, title: id, kind: "execute" }, ["go", "Go", "allow_once"])
      const turn = yield* Effect.forkChild(
        play(agent, "t1", { text: "before" }, ask("a"), ask("b"), { text: ", and after" })
      )
      for (const id of ["a", "b"]) {
        const { request } = yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === id)
        yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "go"))
      }
      yield* Fiber.join(turn)
      assert.deepEqual(yield* seen(agent), [
        "says: before",
        "approval answered go",
        "says: permission go",
        "approval answered go",
        "says: permission go, and after"
      ])
    })
  )

  it.live("[88] the call is what was announced, and what the request adds to it", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const turn = yield* Effect.forkChild(
        play(
          agent,
          "t1",
          call("t", { title: "Run", kind: "execute", rawInput: { command: "rm -r build" } }),
          asks({ toolCallId: "t", title: "Run it for good" }, ["ok", "Ok", "allow_once"]),
          change("t", { status: "completed" })
        )
      )
      const { tool } = yield* answer(agent, "ok")
      assert.deepEqual(tool.subject, { type: "command", command: "rm -r build" })
      assert.strictEqual(tool.title, "Run it for good")
      yield* Fiber.join(turn)
      assert.strictEqual(agent.of("tool.started").length, 1)
    })
  )

  it.live(
    "[87] options come as they are: several of one kind, ids that are free text, and no way to refuse for good",
    () =>
      Effect.gen(function* () {
        const agent = yield* started()
        const options = [
          ["Yes, and don't ask again for `npm test`", "Yes, always for npm test", "allow_always"],
          ["allow every command 🙂", "Yes, always for everything", "allow_always"],
          ["1", "Yes", "allow_once"],
          ["", "No, tell it what to do", "reject_once"],
          ["later", "Ask me later", "postpone"]
        ] as const
        const turn = yield* Effect.forkChild(play(agent, "t1", asks({ toolCallId: "t" }, ...options)))
        const request = yield* answer(agent, "allow every command 🙂")
        assert.deepEqual(
          request.options,
          options.map(([optionId, name, kind]) => ({ optionId, name, kind }))
        )
        yield* Fiber.join(turn)
        assert.deepEqual(yield* seen(agent), [
          "approval answered allow every command 🙂",
          "says: permission allow every command 🙂"
        ])
      })
  )

  it.live("[7] ids of the agent's requests that are the same as those of ours mix nothing up", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      // One for each id that any call of ours may have had: whichever the prompt has, an answer under it is not its answer.
      const ids = Array.from({ length: 8 }, (_, id) => id)
      const ask = (id: number) => ({
        message: {
          jsonrpc: "2.0",
          id,
          method: "session/request_permission",
          params: {
            sessionId: "any",
            toolCall: { toolCallId: `t${id}`, title: `Call ${id}` },
            options: [{ optionId: "ok", name: "Ok", kind: "allow_once" }]
          }
        }
      })
      const turn = yield* Effect.forkChild(
        play(agent, "t1", ...ids.map(ask), { text: "asked" }, { waitForCancel: true })
      )
      yield* agent.next("message.delta")
      yield* agent.next("approval.requested", () => agent.of("approval.requested").length === ids.length)
      for (const { request } of agent.of("approval.requested")) {
        yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "ok"))
      }
      assert.isEmpty(agent.of("turn.completed"))
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      assert.strictEqual((yield* play(agent, "t2", { text: "next" })).outcome, "completed")
    })
  )
})
