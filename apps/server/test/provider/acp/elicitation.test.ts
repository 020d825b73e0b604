/** Forms and addresses that an agent puts to people, over a real agent process. */
import { assert, describe, it } from "@effect/vitest"
import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import { TurnId } from "@signalbox/contracts/Ids"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Harness, temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { play, scripted, told } from "../../support/ScriptedAgent.ts"
import { join } from "node:path"

const form = (more: object = {}) => ({
  request: {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "How shall it be deployed?",
      requestedSchema: {
        type: "object",
        title: "Deployment",
        properties: {
          name: { type: "string", title: "Name", minLength: 2, default: "blog" },
          region: {
            type: "string",
            oneOf: [
              { const: "eu", title: "Europe" },
              { const: "us", title: "America" }
            ]
          },
          copies: { type: "integer", minimum: 1, maximum: 5 },
          notes: { type: "string" },
          tags: { type: "array", items: { type: "string", enum: ["fast", "cheap"] } }
        },
        required: ["name", "region", "copies"]
      },
      ...more
    }
  }
})

const address = (url = "https://example.com/login?x=1", elicitationId = "e1") => ({
  request: { method: "elicitation/create", params: { mode: "url", message: "Sign in", url, elicitationId } }
})

type Requested = RuntimeEventOf<"elicitation.requested">["request"]

const answer = (agent: Harness, { requestId }: Requested, response: RequestResponse) =>
  agent.adapter.respondToRequest(thread, requestId, response)

/** What the agent heard in answer to its first elicitation of a turn. */
const heard = (agent: Harness, turnId: string): unknown => {
  const text = agent
    .of("message.delta")
    .filter((event) => event.turnId === turnId)
    .map((event) => event.text)
    .join("")
  const { error, result } = JSON.parse(text.slice(text.indexOf("{")))
  return result ?? error.code
}

describe("a form", () => {
  it.live(
    "[103][104] is offered to the agent, filled in by a person, checked here, and goes on as it was filled in",
    () =>
      Effect.gen(function* () {
        const log = join(yield* temporaryFolder, "log")
        const agent = yield* scripted({}, { env: { SCRIPTED_AGENT_LOG: log } })
        yield* agent.start()
        const [initialize] = told(log)
        assert.deepNestedInclude(initialize, { "params.clientCapabilities.elicitation": { form: {}, url: {} } })
        const turn = yield* Effect.forkChild(play(agent, "t1", form({ toolCallId: "c1" })))
        const { request, turnId } = yield* agent.next("elicitation.requested")
        assert.strictEqual(turnId, "t1")
        assert(request.type === "form")
        assert.deepInclude(request, {
          message: "How shall it be deployed?",
          title: "Deployment",
          toolCallId: "c1",
          fields: [
            { type: "text", name: "name", label: "Name", required: true, initial: "blog", minLength: 2 },
            {
              type: "choice",
              name: "region",
              required: true,
              options: [
                { value: "eu", label: "Europe" },
                { value: "us", label: "America" }
              ]
            },
            { type: "number", name: "copies", required: true, integer: true, minimum: 1, maximum: 5 },
            { type: "text", name: "notes", required: false },
            {
              type: "choices",
              name: "tags",
              required: false,
              options: [
                { value: "fast", label: "fast" },
                { value: "cheap", label: "cheap" }
              ]
            }
          ]
        })
        const wrong: ReadonlyArray<RequestResponse> = [
          { type: "content", content: { name: "x", region: "eu", copies: 2 } },
          { type: "content", content: { name: "blog", copies: 2 } },
          { type: "content", content: { name: "blog", region: "Europe", copies: 2 } },
          { type: "content", content: { name: "blog", region: "eu", copies: 2.5 } },
          { type: "content", content: { name: "blog", region: "eu", copies: 2, other: "x" } },
          { type: "accept" }
        ]
        for (const response of wrong) {
          const refused = yield* Effect.flip(answer(agent, request, response))
          assert.strictEqual(refused.problem.code, "option-unknown")
        }
        const content = { name: "blog", region: "eu", copies: 2, tags: ["fast"] }
        yield* answer(agent, request, { type: "content", content })
        assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
        assert.deepStrictEqual(heard(agent, "t1"), { action: "accept", content })
        assert.deepStrictEqual(agent.of("elicitation.resolved")[0]?.outcome, {
          type: "answered",
          response: { type: "content", content }
        })
      })
  )

  it.live("[81][104] that is refused is declined; one that is open when the turn is stopped is cancelled", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const first = yield* Effect.forkChild(play(agent, "t1", form()))
      yield* answer(agent, (yield* agent.next("elicitation.requested")).request, { type: "reject" })
      yield* Fiber.join(first)
      assert.deepStrictEqual(heard(agent, "t1"), { action: "decline" })
      const second = yield* Effect.forkChild(play(agent, "t2", form(), { waitForCancel: true }))
      const { request } = yield* agent.next("elicitation.requested", ({ turnId }) => turnId === "t2")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t2"))
      assert.strictEqual((yield* Fiber.join(second)).outcome, "cancelled")
      const resolved = agent.of("elicitation.resolved").find(({ requestId }) => requestId === request.requestId)
      assert.deepStrictEqual(resolved?.outcome, { type: "cancelled" })
      const late = yield* Effect.flip(answer(agent, request, { type: "reject" }))
      assert.strictEqual(late.problem.code, "request-closed")
    })
  )

  it.live("[107] leaves out fields of a kind that is not known, and is declined when one of them is needed", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const properties = { name: { type: "string" }, colour: { type: "_colour", palette: [1, 2] } }
      const turn = yield* Effect.forkChild(play(agent, "t1", form({ requestedSchema: { properties } })))
      const { request } = yield* agent.next("elicitation.requested")
      assert(request.type === "form")
      assert.deepStrictEqual(
        request.fields.map(({ name }) => name),
        ["name"]
      )
      assert.deepStrictEqual(request.omitted, [{ name: "colour", kind: "_colour" }])
      yield* answer(agent, request, { type: "content", content: {} })
      yield* Fiber.join(turn)
      assert.deepStrictEqual(heard(agent, "t1"), { action: "accept", content: {} })
      yield* play(agent, "t2", form({ requestedSchema: { properties, required: ["colour"] } }))
      assert.deepStrictEqual(heard(agent, "t2"), { action: "decline" })
      assert.match(agent.of("runtime.warning")[0]?.message ?? "", /colour \(_colour\)/)
      assert.strictEqual(agent.of("elicitation.requested").length, 1)
    })
  )

  it.live("[103] of a mode that nobody offered is refused", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(agent, "t1", form({ mode: "_hologram" }))
      assert.strictEqual(heard(agent, "t1"), -32602)
    })
  )

  it.live("that takes for ever to check does not hold up anything else, however many of its fields do", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const names = Array.from({ length: 100 }, (_, index) => `word${index}`)
      const properties = Object.fromEntries(names.map((name) => [name, { type: "string", pattern: "^(a+)+$" }]))
      const turn = yield* Effect.forkChild(play(agent, "t1", form({ requestedSchema: { properties } })))
      const { request } = yield* agent.next("elicitation.requested")
      const wrong = yield* Effect.flip(answer(agent, request, { type: "content", content: { word0: "b" } }))
      assert.strictEqual(wrong.problem.code, "option-unknown")
      const content = Object.fromEntries(names.map((name) => [name, `${"a".repeat(60)}!`]))
      const begun = performance.now()
      yield* answer(agent, request, { type: "content", content })
      // Each alone would take the 50 ms that all together are given: five seconds.
      assert.isBelow(performance.now() - begun, 4500)
      yield* Fiber.join(turn)
      assert.deepStrictEqual(heard(agent, "t1"), { action: "accept", content })
    })
  )
})

describe("an address", () => {
  it.live("[105] is shown and not fetched, accepted by consent, and done when the agent says so", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const complete = (elicitationId: string) => ({
        notify: { method: "elicitation/complete", params: { elicitationId } }
      })
      const script = [address(), complete("unknown"), complete("e1"), complete("e1")]
      const turn = yield* Effect.forkChild(play(agent, "t1", ...script))
      const { request } = yield* agent.next("elicitation.requested")
      assert.deepInclude(request, { type: "url", url: "https://example.com/login?x=1", elicitationId: "e1" })
      yield* answer(agent, request, { type: "accept" })
      yield* Fiber.join(turn)
      assert.deepStrictEqual(heard(agent, "t1"), { action: "accept" })
      yield* agent.next("elicitation.completed")
      const [completed, again] = agent.of("elicitation.completed")
      assert.deepInclude(completed, { requestId: request.requestId, turnId: TurnId.make("t1") })
      assert.isUndefined(again)
    })
  )

  it.live("[105] that is done before anybody has answered closes", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const done = { notify: { method: "elicitation/complete", params: { elicitationId: "e1" } } }
      yield* play(agent, "t1", { together: [[address()], [{ wait: 50 }, done]] })
      assert.deepStrictEqual(heard(agent, "t1"), { action: "cancel" })
      assert.strictEqual(agent.of("elicitation.resolved")[0]?.outcome.type, "expired")
    })
  )

  it.live("[105] of anything but http and https is refused", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(agent, "t1", address("javascript:alert(1)"))
      assert.strictEqual(heard(agent, "t1"), -32602)
      yield* play(agent, "t2", address("file:///etc/passwd"))
      assert.strictEqual(heard(agent, "t2"), -32602)
      assert.isEmpty(agent.of("elicitation.requested"))
    })
  )
})

/** Asked before there is a session. */
const early = { request: { method: "elicitation/create", params: { ...form().request.params, requestId: 1 } } }

describe("while the agent starts", () => {
  it.effect("[106] people are asked before there is a session, and the start waits for them as long as they take", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ beforeNewSession: [early] })
      const starting = yield* Effect.forkChild(agent.start())
      const { request, turnId } = yield* agent.next("elicitation.requested")
      assert.isUndefined(turnId)
      assert.deepInclude(request, { type: "form", during: "session/new" })
      assert.isEmpty(agent.of("session.started"))
      // More than any agent is given that says nothing.
      yield* TestClock.adjust("10 minutes")
      yield* answer(agent, request, { type: "content", content: { name: "blog", region: "us", copies: 1 } })
      yield* Fiber.join(starting)
      assert.deepStrictEqual(
        agent.events.map(({ type }) => type).filter((type) => /^(?:elicitation|session\.started)/.test(type)),
        ["elicitation.requested", "elicitation.resolved", "session.started"]
      )
      assert.strictEqual((yield* play(agent, "t1", { text: "hi" })).outcome, "completed")
    })
  )

  it.live("[106] what was asked is closed when the start fails", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({
        beforeNewSession: [{ together: [[early], [{ wait: 50 }, { crash: 1 }]] }]
      })
      const failed = yield* Effect.flip(agent.start())
      assert.strictEqual(failed.problem.code, "agent-exited")
      const { outcome } = yield* agent.next("elicitation.resolved")
      assert.strictEqual(outcome.type, "expired")
    })
  )
})
