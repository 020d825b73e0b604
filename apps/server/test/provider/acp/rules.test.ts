/** What rules answer, over a real agent process. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import type { Rule } from "@signalbox/contracts/Rule"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RulesInForce from "../../../src/rules/RulesInForce.ts"
import { type Harness, thread } from "../../support/AgentHarness.ts"
import { change, play, scripted, seen } from "../../support/ScriptedAgent.ts"
import { temporaryFolder } from "../../../../../packages/system/test/support/TemporaryFolder.ts"

const started = Effect.fnUntraced(function* (text: string, stateFolder = temporaryFolder("state")) {
  writeFileSync(join(stateFolder, "rules.json"), text)
  const agent = yield* scripted().pipe(Effect.provide(RulesInForce.layer({ stateFolder })))
  yield* agent.start()
  return { agent, stateFolder }
})

const rulesText = (...rules: ReadonlyArray<Rule>) => JSON.stringify({ rules })

const runs = (toolCallId: string, command: string) => ({
  permission: {
    toolCall: { toolCallId, title: toolCallId, kind: "execute", rawInput: { command } },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" }
    ]
  }
})

const idOf = (agent: Harness, toolCallId: string) =>
  agent.of("approval.requested").find(({ request }) => request.tool.toolCallId === toolCallId)?.request.requestId

/** How requests ended: the option, and by whom. */
const ends = (agent: Harness) =>
  agent
    .of("approval.resolved")
    .map(({ outcome }) =>
      outcome.type === "answered" && outcome.response.type === "option"
        ? [outcome.response.optionId, outcome.by ?? "people"]
        : [outcome.type]
    )

describe("a rule for one request", () => {
  it.live("answers one of two like requests that come at once, and people are asked about the other", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(rulesText({ effect: "allow", match: { command: "npm test" }, until: "once" }))
      const turn = yield* Effect.forkChild(
        play(agent, "t1", { together: [[runs("a", "npm test")], [runs("b", "npm test")]] })
      )
      yield* agent.next("approval.resolved")
      const asked = new Set(agent.of("approval.resolved").map(({ requestId }) => requestId))
      const { request } = yield* agent.next("approval.requested", ({ request }) => !asked.has(request.requestId))
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "no"))
      yield* Fiber.join(turn)
      assert.deepStrictEqual(ends(agent), [
        ["yes", "rules"],
        ["no", "people"]
      ])
    })
  )

  it.live("stays with a request that people have to answer, and is there for the next one", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(rulesText({ effect: "allow", match: { command: "npm test" }, until: "once" }))
      // One part of the line has no rule: the other part uses nothing up.
      const turn = yield* Effect.forkChild(play(agent, "t1", runs("a", "npm test && npm start"), runs("b", "npm test")))
      const { request } = yield* agent.next("approval.requested")
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "no"))
      yield* Fiber.join(turn)
      assert.deepStrictEqual(ends(agent), [
        ["no", "people"],
        ["yes", "rules"]
      ])
    })
  )

  it.live("does not answer what a waiting request has become after another one used it", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(rulesText({ effect: "allow", match: { command: "npm test" }, until: "once" }))
      const turn = yield* Effect.forkChild(
        play(agent, "t1", {
          together: [
            [runs("a", "npm start")],
            [{ waitForFile: "go" }, runs("b", "npm test"), change("a", { rawInput: { command: "npm test" } })]
          ]
        })
      )
      yield* agent.next("approval.requested")
      writeFileSync(join(agent.folder, "go"), "")
      const { request } = yield* agent.next("approval.changed")
      assert.deepStrictEqual(ends(agent), [["yes", "rules"]])
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "no"))
      yield* Fiber.join(turn)
    })
  )
})

describe("requests that wait", () => {
  it.live("are judged again when a rule is added for their session", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      const rules = Context.get(yield* Layer.build(RulesInForce.layer({ stateFolder })), RulesInForce.RulesInForce)
      const agent = yield* scripted().pipe(Effect.provideService(RulesInForce.RulesInForce, rules))
      const { providerSessionId } = yield* agent.start()
      const other = runs("c", "npm start")
      const turn = yield* Effect.forkChild(
        play(agent, "t1", { together: [[runs("a", "npm test")], [runs("b", "npm test")], [other]] })
      )
      for (const id of ["a", "b", "c"])
        yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === id)
      yield* rules.addForSession(providerSessionId, { effect: "allow", match: { command: "npm test" } })
      for (const id of ["a", "b"])
        yield* agent.next("approval.resolved", ({ requestId }) => requestId === idOf(agent, id))
      assert.deepStrictEqual(ends(agent), [
        ["yes", "rules"],
        ["yes", "rules"]
      ])
      yield* rules.addForSession(providerSessionId, { effect: "deny", match: { command: "npm start" } })
      yield* Fiber.join(turn)
      const { outcome } = yield* agent.next("approval.resolved", ({ requestId }) => requestId === idOf(agent, "c"))
      assert.strictEqual(outcome.type === "answered" && outcome.why, "A rule of this session denies npm start.")
    })
  )

  it.live("take one of two answers that come at once, and the other client learns of it", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(rulesText())
      const turn = yield* Effect.forkChild(play(agent, "t1", runs("a", "npm test")))
      const { request } = yield* agent.next("approval.requested")
      const answers = yield* Effect.forEach(
        ["yes", "no"],
        (option) =>
          Effect.result(
            agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, option), {
              kind: "page",
              name: option
            })
          ),
        { concurrency: 2 }
      )
      yield* Fiber.join(turn)
      const failed = answers.flatMap((answer) => (Result.isFailure(answer) ? [answer.failure.problem] : []))
      assert.deepStrictEqual(
        failed.map(({ cause, code }) => [code, cause]),
        [["request-closed", "It was answered before, and differently."]]
      )
      assert.lengthOf(agent.of("approval.resolved"), 1)
      const [end] = agent.of("approval.resolved")
      const won = answers.findIndex(Result.isSuccess) === 0 ? "yes" : "no"
      assert.deepStrictEqual(ends(agent), [[won, "people"]])
      assert.strictEqual(end?.outcome.type === "answered" && end.outcome.client?.name, won)
    })
  )
})

describe("a rules file that can't be understood", () => {
  it.live("lets nothing be answered without people, and is named in the thread by its line, once", () =>
    Effect.gen(function* () {
      const { agent, stateFolder } = yield* started('{\n  "rules": [\n    { "effect": "deny" }\n  ]\n}')
      const turn = yield* Effect.forkChild(play(agent, "t1", runs("a", "npm test"), runs("b", "npm test")))
      const file = join(stateFolder, "rules.json")
      for (const id of ["a", "b"]) {
        const { request } = yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === id)
        assert.include(request.judgement?.why, `${file} can't be understood, so nobody knows what it denies: line 3, `)
        yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "no"))
      }
      yield* Fiber.join(turn)
      const warnings = (yield* seen(agent)).filter((line) => line.startsWith("warning: "))
      assert.lengthOf(warnings, 1)
      assert.match(warnings[0] ?? "", /you are asked about everything that no other rule denies\. \(Line 3, rules\[0\]/)
    })
  )
})
