import { RpcError } from "@signalbox/acp/JsonRpc"
import type { PlanEntry, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as CursorExtensions from "../../../src/provider/drivers/cursor/CursorExtensions.ts"
import { RecordingContext } from "./support/RecordingContext.ts"

const answered = (response: RequestResponse) => new RecordingContext({ type: "answered", response })

const refusal = (method: string, params: unknown, context = new RecordingContext()) =>
  Effect.map(Effect.flip(CursorExtensions.request(method, params, context)), (error) => {
    assert.instanceOf(error, RpcError)
    return error
  })

const question = {
  toolCallId: "tool_1",
  title: "Clarify",
  questions: [
    {
      id: "q1",
      prompt: "Formal or casual?",
      options: [{ id: "formal", label: "Formal" }, { id: "casual" }],
      allowMultiple: false
    },
    { id: "q2", prompt: "Which?", options: [{ id: "a", label: "A" }], allowMultiple: true }
  ]
}

describe("cursor/ask_question", () => {
  it.effect("[126] puts the agent's questions to people and answers by option id", () =>
    Effect.gen(function* () {
      const context = answered({
        type: "answers",
        answers: [
          { questionId: "q1", optionIds: ["casual"] },
          { questionId: "q2", optionIds: ["a"] }
        ]
      })
      const answer = yield* CursorExtensions.request("cursor/ask_question", question, context)
      assert.deepStrictEqual(answer, {
        outcome: {
          outcome: "answered",
          answers: [
            { questionId: "q1", selectedOptionIds: ["casual"] },
            { questionId: "q2", selectedOptionIds: ["a"] }
          ]
        }
      })
      assert.deepStrictEqual(context.asked, [
        {
          type: "question",
          toolCallId: question.toolCallId,
          title: "Clarify",
          questions: [
            {
              id: "q1",
              prompt: "Formal or casual?",
              options: [
                { id: "formal", label: "Formal" },
                { id: "casual", label: "casual" }
              ],
              allowMultiple: false
            },
            { id: "q2", prompt: "Which?", options: [{ id: "a", label: "A" }], allowMultiple: true }
          ]
        }
      ])
    })
  )

  it.effect("says skipped when skipped, and cancelled when stopped, expired or answered with something else", () =>
    Effect.gen(function* () {
      const outcomeOf = (context: RecordingContext) =>
        CursorExtensions.request("cursor/ask_question", question, context)
      assert.deepStrictEqual(yield* outcomeOf(answered({ type: "skip", reason: "later" })), {
        outcome: { outcome: "skipped", reason: "later" }
      })
      assert.deepStrictEqual(yield* outcomeOf(answered({ type: "skip" })), {
        outcome: { outcome: "skipped", reason: "Skipped without a reason." }
      })
      const cancelled = { outcome: { outcome: "cancelled" } }
      assert.deepStrictEqual(yield* outcomeOf(new RecordingContext({ type: "cancelled" })), cancelled)
      assert.deepStrictEqual(yield* outcomeOf(new RecordingContext({ type: "expired", reason: "gone" })), cancelled)
      assert.deepStrictEqual(yield* outcomeOf(answered({ type: "accept" })), cancelled)
    })
  )

  it.effect("refuses questions that it cannot show whole, and reports that to people", () =>
    Effect.gen(function* () {
      for (const params of [
        undefined,
        {},
        { questions: "what?" },
        { questions: [] },
        { questions: [{ id: "q1", prompt: "?", options: [{ label: "no id" }] }] },
        { questions: [...question.questions, { id: "q3" }] }
      ]) {
        const context = new RecordingContext()
        const error = yield* refusal("cursor/ask_question", params, context)
        assert.strictEqual(error.code, -32602)
        assert.match(error.message, /^cursor\/ask_question: ./)
        assert.strictEqual(context.warnings.length, 1)
        assert.strictEqual(context.asked.length, 0)
      }
    })
  )
})

const plan = {
  toolCallId: "tool_2",
  name: "Greeting",
  overview: "Greet.",
  plan: "# Plan\n1. Greet",
  todos: [{ id: "t1", content: "Edit", status: "pending" }],
  isProject: false,
  phases: [
    {
      name: "P1",
      todos: [
        { id: "t1", content: "Edit", status: "pending" },
        { id: "t2", title: "Test" }
      ]
    }
  ]
}

describe("cursor/create_plan", () => {
  it.effect("[126] is a round trip: accepted, rejected with the reason, or cancelled", () =>
    Effect.gen(function* () {
      const accepted = answered({ type: "accept" })
      assert.deepStrictEqual(yield* CursorExtensions.request("cursor/create_plan", plan, accepted), {
        outcome: { outcome: "accepted" }
      })
      assert.deepStrictEqual(accepted.asked, [
        {
          type: "plan",
          toolCallId: plan.toolCallId,
          name: "Greeting",
          overview: "Greet.",
          plan: "# Plan\n1. Greet",
          entries: [
            { id: "t1", content: "Edit", status: "pending" },
            { id: "t2", content: "Test", status: "pending" }
          ]
        }
      ])
      const reject = answered({ type: "reject", reason: "too much" })
      assert.deepStrictEqual(yield* CursorExtensions.request("cursor/create_plan", plan, reject), {
        outcome: { outcome: "rejected", reason: "too much" }
      })
      assert.deepStrictEqual(yield* CursorExtensions.request("cursor/create_plan", plan, new RecordingContext()), {
        outcome: { outcome: "cancelled" }
      })
    })
  )

  it.effect("is never accepted by accident", () =>
    Effect.gen(function* () {
      const others: ReadonlyArray<RequestResponse> = [
        { type: "skip" },
        { type: "answers", answers: [] },
        { type: "option", optionId: "accepted" }
      ]
      for (const response of others)
        assert.deepStrictEqual(yield* CursorExtensions.request("cursor/create_plan", plan, answered(response)), {
          outcome: { outcome: "cancelled" }
        })
      const malformed = answered({ type: "accept" })
      assert.strictEqual((yield* refusal("cursor/create_plan", { name: "no plan" }, malformed)).code, -32602)
      assert.strictEqual(malformed.asked.length, 0)
    })
  )

  it.effect("shows a plan whose to-dos are partly unreadable, and says so", () =>
    Effect.gen(function* () {
      const context = answered({ type: "accept" })
      yield* CursorExtensions.request(
        "cursor/create_plan",
        { ...plan, phases: null, todos: [7, plan.todos[0]] },
        context
      )
      assert.deepInclude(context.asked[0], { entries: [{ id: "t1", content: "Edit", status: "pending" }] })
      assert.strictEqual(context.warnings.length, 1)
      assert.include(context.warnings[0], "todos[0]")
    })
  )
})

describe("cursor/update_todos", () => {
  const known: readonly [PlanEntry, PlanEntry] = [
    { id: "a", content: "Read", status: "in_progress" },
    { id: "b", content: "Write", status: "pending", priority: "high" }
  ]
  const withPlan = () => new RecordingContext({ type: "cancelled" }, known)

  it.effect("[126] replaces the list, and confirms what it has become", () =>
    Effect.gen(function* () {
      const context = withPlan()
      const answer = yield* CursorExtensions.request(
        "cursor/update_todos",
        { toolCallId: "t", todos: [{ id: "c", content: "Test", status: "TODO_STATUS_COMPLETED" }], merge: false },
        context
      )
      assert.deepStrictEqual(context.plan, [{ id: "c", content: "Test", status: "completed" }])
      assert.deepStrictEqual(answer, {
        outcome: { outcome: "accepted", todos: [{ id: "c", content: "Test", status: "completed" }] }
      })
    })
  )

  it.effect("keeps content and all other items when a merge holds only id and status", () =>
    Effect.gen(function* () {
      const context = withPlan()
      yield* CursorExtensions.request(
        "cursor/update_todos",
        {
          todos: [
            { id: "b", status: "completed" },
            { id: "d", title: "New" }
          ],
          merge: true
        },
        context
      )
      assert.deepStrictEqual(context.plan, [
        known[0],
        { id: "b", content: "Write", status: "completed", priority: "high" },
        { id: "d", content: "New", status: "pending" }
      ])
    })
  )

  it.effect("[126] does the same as a notification", () =>
    Effect.gen(function* () {
      const context = withPlan()
      const params = { todos: [{ id: "a", status: "completed" }], merge: true }
      yield* CursorExtensions.notification("cursor/update_todos", params, context)
      assert.strictEqual(context.plan[0]?.status, "completed")
      assert.strictEqual(context.plan[0]?.content, "Read")
    })
  )

  it.effect("says which items it could not place, and does not repeat a plan that did not change", () =>
    Effect.gen(function* () {
      const context = withPlan()
      const todos = [{ id: "unknown", status: "completed" }]
      yield* CursorExtensions.request("cursor/update_todos", { todos, merge: true }, context)
      assert.deepStrictEqual(context.plan, known)
      assert.strictEqual(context.plansSet, 0)
      assert.strictEqual(context.warnings.length, 1)
    })
  )

  it.effect("keeps a status that an update leaves out, and refuses what is no list", () =>
    Effect.gen(function* () {
      const context = withPlan()
      const todos = [{ id: "a", content: "Read all", status: "brand_new_status" }]
      yield* CursorExtensions.request("cursor/update_todos", { todos, merge: true }, context)
      assert.deepStrictEqual(context.plan[0], { id: "a", content: "Read all", status: "in_progress" })
      assert.strictEqual((yield* refusal("cursor/update_todos", { todos: "none" })).code, -32602)
    })
  )
})

describe("cursor/task", () => {
  const task = { toolCallId: "t", description: "Explore", prompt: "p", model: "m", agentId: "g", durationMs: 8123 }

  it.effect("says which sub-agent has done what, whatever form its type has", () =>
    Effect.gen(function* () {
      const types: ReadonlyArray<readonly [unknown, string]> = [
        ["explore", "explore"],
        ["video_review", "video review"],
        ["unspecified", "Sub-agent"],
        [{ custom: "reviewer" }, "reviewer"],
        [{ custom: { unspecified: {} } }, "Sub-agent"],
        [{ explore: {} }, "explore"],
        [undefined, "Sub-agent"],
        [7, "Sub-agent"]
      ]
      for (const [subagentType, name] of types) {
        const context = new RecordingContext()
        const answer = yield* CursorExtensions.request("cursor/task", { ...task, subagentType }, context)
        assert.deepStrictEqual(answer, { outcome: { outcome: "completed", agentId: "g", durationMs: 8123 } })
        assert.deepStrictEqual(context.subagents, [
          { id: "t", name, task: "Explore", state: "completed", durationMs: 8123 }
        ])
        assert.deepStrictEqual(context.warnings, [])
      }
    })
  )

  it.effect("does not call a launch into the background done", () =>
    Effect.gen(function* () {
      for (const params of [
        { ...task, durationMs: 200 },
        { ...task, isBackground: true }
      ]) {
        const context = new RecordingContext()
        yield* CursorExtensions.request("cursor/task", params, context)
        assert.deepStrictEqual(context.subagents, [
          { id: "t", name: "Sub-agent", task: "Explore", state: "background" }
        ])
      }
    })
  )

  it.effect("leaves out a duration that no task can have, and says so", () =>
    Effect.gen(function* () {
      for (const durationMs of [1e308, -1]) {
        const context = new RecordingContext()
        const answer = yield* CursorExtensions.request("cursor/task", { ...task, durationMs }, context)
        assert.deepStrictEqual(answer, { outcome: { outcome: "completed", agentId: "g" } })
        assert.deepStrictEqual(context.subagents, [{ id: "t", name: "Sub-agent", task: "Explore", state: "completed" }])
        assert.strictEqual(context.warnings.length, 1)
      }
    })
  )

  it.effect("refuses a task that it could not distinguish from others", () =>
    Effect.map(refusal("cursor/task", { description: "Explore" }), ({ code }) => assert.strictEqual(code, -32602))
  )
})

describe("cursor/generate_image", () => {
  it.effect("names the file", () =>
    Effect.gen(function* () {
      const context = new RecordingContext()
      const params = { toolCallId: "t", description: "A logo", filePath: "/ws/logo.png", referenceImagePaths: [] }
      assert.deepStrictEqual(yield* CursorExtensions.request("cursor/generate_image", params, context), {
        outcome: { outcome: "generated", filePath: "/ws/logo.png" }
      })
      assert.deepStrictEqual(context.files, [{ id: "t", path: "/ws/logo.png", description: "A logo" }])
      assert.strictEqual((yield* refusal("cursor/generate_image", { description: "A logo" })).code, -32602)
    })
  )
})

describe("unknown methods", () => {
  it.effect("[126] are refused with −32601 as requests and ignored as notifications", () =>
    Effect.gen(function* () {
      for (const method of ["cursor/canvas", "cursor/future", "_other/method"]) {
        const context = new RecordingContext()
        assert.strictEqual((yield* refusal(method, {}, context)).code, -32601)
        yield* CursorExtensions.notification(method, {}, context)
        assert.deepStrictEqual(context.warnings, [])
      }
    })
  )

  it.effect("a notification that should have been a question asks nobody", () =>
    Effect.gen(function* () {
      const context = answered({ type: "accept" })
      yield* CursorExtensions.notification("cursor/create_plan", plan, context)
      assert.strictEqual(context.asked.length, 0)
      yield* CursorExtensions.notification("cursor/update_todos", { todos: 7 }, context)
      assert.strictEqual(context.warnings.length, 1)
    })
  )
})
