/** Faults that clients are known to fall over, one test each: what people see when an agent does this. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { type AgentOptions, agentHarness, cursorHarness, type Harness, thread } from "../../support/AgentHarness.ts"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const scriptedMain = path("../../../../../packages/stand-in-agents/src/scripted/main.ts")

/** The scripted agent, taken for Cursor: it may send what only Cursor sends. */
const asCursor = (setup: object = {}, options: AgentOptions = {}) =>
  cursorHarness({
    ...options,
    profile: {
      launch: () =>
        Effect.succeed({
          command: process.execPath,
          args: [scriptedMain],
          env: { SCRIPTED_AGENT: JSON.stringify(setup) }
        })
    }
  })

const play = (agent: Harness, turnId: string, ...steps: ReadonlyArray<object>) =>
  agent.turn(turnId, JSON.stringify(steps))

const textOf = (agent: Harness) =>
  agent
    .of("message.delta")
    .map(({ text }) => text)
    .join("")

describe("acceptance", () => {
  it.live("[32] −32000 on authenticate and on session/new asks for a login, and the code is kept", () =>
    Effect.gen(function* () {
      const agent = yield* asCursor({
        authRequired: true,
        authenticate: { error: { code: -32000, message: "Authentication required" } }
      })
      const { problem } = yield* Effect.flip(agent.start())
      assert.strictEqual(problem.code, "auth-required")
      assert.strictEqual(problem.evidence.rpcCode, -32000)
      assert.isTrue(problem.nextSteps.some(({ action }) => action === "log-in" || action === "run-command"))
    })
  )

  it.live("text and calls stream on while a question is open", () =>
    Effect.gen(function* () {
      const agent = yield* asCursor()
      yield* agent.start()
      const question = {
        id: "q1",
        prompt: "Which?",
        options: [
          { id: "a", label: "A" },
          { id: "b", label: "B" }
        ]
      }
      const turn = yield* Effect.forkChild(
        play(agent, "t1", {
          together: [
            [{ request: { method: "cursor/ask_question", params: { toolCallId: "x", questions: [question] } } }],
            [
              { text: "meanwhile" },
              { update: { sessionUpdate: "tool_call", toolCallId: "t", title: "Look", status: "completed" } }
            ]
          ]
        })
      )
      const { request } = yield* agent.next("question.requested")
      yield* agent.next("message.delta", ({ text }) => text.includes("meanwhile"))
      yield* agent.next("tool.completed")
      assert.isEmpty(agent.of("question.resolved"))
      const answers = [{ questionId: "q1", optionIds: ["b"] }]
      const twice = [{ questionId: "q1", optionIds: ["a"] }, ...answers]
      const refused = yield* Effect.flip(
        agent.adapter.respondToRequest(thread, request.requestId, { type: "answers", answers: twice })
      )
      assert.strictEqual(refused.problem.cause, "A question was answered twice.")
      yield* agent.adapter.respondToRequest(thread, request.requestId, { type: "answers", answers })
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      assert.include(textOf(agent), '"selectedOptionIds":["b"]')
    })
  )

  it.live("Stop reaches an agent built on the official SDK, and ends its prompt as cancelled", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness(process.execPath, [
        path("../../../../../packages/acp/test/fixtures/sdk-agent.mjs")
      ])
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "wait"))
      yield* agent.next("turn.started")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      const end = yield* Fiber.join(turn)
      assert.deepStrictEqual([end.outcome, end.stopReason, end.problem], ["cancelled", "cancelled", undefined])
    })
  )

  it.live("an agent built on the official SDK gets the option that was chosen, and is heard to the last word", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness(process.execPath, [
        path("../../../../../packages/acp/test/fixtures/sdk-agent.mjs")
      ])
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "permission"))
      const { request } = yield* agent.next("approval.requested")
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "yes"))
      yield* Fiber.join(turn)
      assert.include(textOf(agent), '{"outcome":"selected","optionId":"yes"}')
      yield* agent.turn("t2", "flood")
      const flood = agent.of("message.delta").filter(({ turnId }) => turnId === "t2")
      assert.isTrue(
        flood
          .map(({ text }) => text)
          .join("")
          .endsWith("19981999")
      )
    })
  )

  it.live("after a death in the middle of a turn the text is kept, and the next message works", () =>
    Effect.gen(function* () {
      const agent = yield* asCursor({ load: { replay: [{ user: "x" }, { text: "partial" }] } })
      const { resumeToken } = yield* agent.start()
      const end = yield* play(agent, "t1", { text: "partial" }, { crash: "SIGSEGV" })
      assert.deepStrictEqual([end.outcome, end.problem?.evidence.signal], ["failed", "SIGSEGV"])
      assert.strictEqual(textOf(agent), "partial")
      const again = yield* agent.start({ resume: resumeToken, knownPrompts: ["x"] })
      assert.strictEqual(again.origin, "loaded")
      assert.strictEqual((yield* play(agent, "t2", { text: "!" })).outcome, "completed")
      assert.strictEqual(textOf(agent), "partial!")
    })
  )

  it.live("to-dos arrive as a notification, as a request and in a call; merging one keeps the others", () =>
    Effect.gen(function* () {
      const agent = yield* asCursor()
      yield* agent.start()
      const plan = () =>
        agent
          .of("plan.updated")
          .at(-1)
          ?.entries.map(({ content, status }) => `${content}: ${status}`) ?? []
      const todo = (id: string, content: string, status: string) => ({ id, content, status })
      yield* play(agent, "t1", {
        notify: {
          method: "cursor/update_todos",
          params: { toolCallId: "a", merge: false, todos: [todo("1", "one", "pending"), todo("2", "two", "pending")] }
        }
      })
      assert.deepStrictEqual(plan(), ["one: pending", "two: pending"])
      yield* play(agent, "t2", {
        request: {
          method: "cursor/update_todos",
          params: { toolCallId: "b", merge: true, todos: [{ id: "1", status: "completed" }] }
        }
      })
      assert.deepStrictEqual(plan(), ["one: completed", "two: pending"])
      const todos = [{ id: "3", content: "three", status: "TODO_STATUS_IN_PROGRESS" }]
      yield* play(agent, "t3", {
        update: {
          sessionUpdate: "tool_call",
          toolCallId: "c",
          title: "Update TODOs: three",
          kind: "other",
          status: "completed",
          rawInput: { _toolName: "updateTodos", todos }
        }
      })
      assert.include(plan(), "three: in_progress")
    })
  )

  it.live("200,000 updates leave no growth of the heap", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ keep: () => false })
      yield* agent.adapter.startSession(agent.input())
      const flood = (turnId: string, n: number) =>
        agent.adapter.sendTurn(thread, {
          turnId: TurnId.make(turnId),
          prompt: [{ type: "text", text: `[[fake:stream n=${n}]]` }]
        })
      yield* flood("warm-up", 20_000)
      const before = heap()
      yield* flood("measured", 200_000)
      // 5 MB of text have gone through.
      assert.isBelow(heap() - before, 1_500_000)
    })
  )
})

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Bytes in use after collection. */
const heap = (): number => {
  for (let round = 0; round < 4; round += 1) collect()
  return process.memoryUsage().heapUsed
}
