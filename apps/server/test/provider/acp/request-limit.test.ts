/** An agent that floods people with requests is refused beyond a limit, in the protocol's terms. The transcript says so. */
import { assert, describe, it } from "@effect/vitest"
import { type AgentRequest, optionOf } from "@signalbox/contracts/AgentRequest"
import { RequestId, TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RequestLimit from "../../../src/provider/acp/requests/RequestLimit.ts"
import { temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { call, change, play, scripted, told } from "../../support/ScriptedAgent.ts"

const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
/** Asks for permission. A call of its own shows that the agent has heard of a refusal. */
const asks = (index: number, text = "") => ({
  permission: {
    toolCall: { toolCallId: `c${index}`, title: "ask", kind: "execute", rawInput: { command: `ls ${text}` } },
    options
  },
  on: { cancelled: [call(`refused ${index}`)] }
})
const askAtOnce = (count: number, text?: string) => ({
  together: Array.from({ length: count }, (_, index) => [asks(index, text)])
})
const limits =
  "An agent may have 64 requests open at once, and 16 MiB of requests that nobody has answered in a turn. Others are not shown; the agent hears that they are cancelled."

const started = Effect.gen(function* () {
  const log = join(yield* temporaryFolder, "wire.jsonl")
  const agent = yield* scripted({}, { env: { SCRIPTED_AGENT_LOG: log } })
  yield* agent.start()
  const answers = (): ReadonlyArray<unknown> =>
    told(log).flatMap(({ result }) => (result === undefined ? [] : [result]))
  const ids = new Set<string>()
  /** So many refusals have reached the agent. */
  const refused = (count: number) =>
    agent.next("tool.started", ({ tool }) => tool.title.startsWith("refused") && ids.add(tool.title).size >= count)
  return { agent, answers, refused }
})
const cancelled = { outcome: { outcome: "cancelled" } }

describe("requests of an agent", () => {
  it.live("beyond 64 that are open are cancelled at once, and the transcript says how many and why", () =>
    Effect.gen(function* () {
      const { agent, answers, refused } = yield* started
      const turn = yield* Effect.forkChild(play(agent, "t1", askAtOnce(70)))
      yield* refused(6)
      const first = yield* agent.next("runtime.warning")
      assert.strictEqual(first.message, "Signalbox refused a request of the agent: 64 requests are open already.")
      assert.deepStrictEqual([first.detail, first.turnId], [limits, TurnId.make("t1")])
      // Each is looked at before it is shown.
      yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === "c63")
      // Those that are open can still be answered.
      yield* agent.next("approval.requested", () => agent.of("approval.requested").length === 64)
      const asked = agent.of("approval.requested")
      for (const { request } of asked)
        yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "yes"))
      yield* Fiber.join(turn)
      const last = agent.of("runtime.warning").at(-1)
      assert.match(last?.message ?? "", /^Signalbox refused 6 requests of the agent, \d+ KiB in all\.$/)
      assert.strictEqual(last?.turnId, TurnId.make("t1"))
      assert.strictEqual(answers().filter((answer) => JSON.stringify(answer) === JSON.stringify(cancelled)).length, 6)
    })
  )

  it.live("beyond 16 MiB are cancelled at once, and the next turn begins anew", () =>
    Effect.gen(function* () {
      const { agent, answers, refused } = yield* started
      const large = "x".repeat(1024 * 1024)
      const turn = yield* Effect.forkChild(play(agent, "t1", askAtOnce(20, large)))
      yield* refused(13)
      const { message } = yield* agent.next("runtime.warning")
      assert.match(message, /^Signalbox refused a request of the agent: it has 2 MiB, and there is no room for that/)
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      yield* Fiber.join(turn)
      // The input stands in a request twice: as it was sent, and as it was read.
      assert.strictEqual(agent.of("approval.requested").length, 7)
      const told = agent.of("runtime.warning").map(({ message }) => message)
      assert.include(told.join("\n"), "Signalbox refused 13 requests of the agent, 26 MiB")
      assert.strictEqual(answers().filter((answer) => JSON.stringify(answer) === JSON.stringify(cancelled)).length, 20)
      // The next turn begins anew.
      yield* Effect.forkChild(play(agent, "t2", asks(99, large)))
      yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === "c99")
    })
  )

  it.live("are refused when the call that they are about is too large, whatever they say themselves", () =>
    Effect.gen(function* () {
      const { agent, answers } = yield* started
      const large = { command: "x".repeat(17 * 1024 * 1024) }
      yield* play(agent, "t1", change("c", { rawInput: large }), {
        permission: { toolCall: { toolCallId: "c" }, options }
      })
      assert.deepStrictEqual(agent.of("approval.requested"), [])
      assert.include(agent.of("runtime.warning")[0]?.message ?? "", "it has 34 MiB")
      assert.deepInclude(answers(), cancelled)
    })
  )

  it.live("are withdrawn when they change so often that they fill the same room", () =>
    Effect.gen(function* () {
      const { agent } = yield* started
      // Each change comes when the one before is shown. What comes at once is one change.
      const changes = Array.from({ length: 20 }, (_, index) => [
        { waitForFile: `change-${index}` },
        change("c0", { rawInput: { command: `${index} ${"x".repeat(1024 * 1024)}` } })
      ]).flat()
      const turn = yield* Effect.forkChild(play(agent, "t1", { together: [[asks(0)], changes] }))
      yield* agent.next("approval.requested")
      const allow = (index: number) => writeFileSync(join(agent.folder, `change-${index}`), "")
      const changing = yield* Effect.forEach(changes.keys(), (index) => {
        allow(index)
        return agent.next("approval.changed", ({ request }) => request.revision === index + 1)
      }).pipe(Effect.forkChild)
      const { outcome } = yield* agent.next("approval.resolved")
      yield* Fiber.interrupt(changing)
      for (const index of changes.keys()) allow(index)
      yield* Fiber.join(turn)
      assert.isAtMost(agent.of("approval.changed").length, 15)
      assert.deepStrictEqual(outcome, {
        type: "expired",
        reason: "It grew larger than requests may be. The agent was told that it is withdrawn."
      })
    })
  )
})

describe("the room for requests of a turn", () => {
  const request = (id: string): AgentRequest => ({
    type: "question",
    requestId: RequestId.make(id),
    at: 1,
    title: "x".repeat(10 * 1024 * 1024),
    questions: []
  })
  const place = { turnId: TurnId.make("t1") }

  it("is taken by one that was withdrawn, until the next turn, and given back by one that was answered", () => {
    for (const [answered, second] of [
      [false, false],
      [true, true]
    ] as const) {
      const limit = RequestLimit.make(() => {})
      assert.isTrue(limit.opens(request("1"), place))
      limit.ended(RequestId.make("1"), answered)
      assert.strictEqual(limit.opens(request("2"), place), second)
      limit.ended(RequestId.make("2"), answered)
      assert.isTrue(limit.opens(request("3"), { turnId: TurnId.make("t2") }))
    }
  })
})
