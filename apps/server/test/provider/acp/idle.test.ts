/** Agents that have nothing to do end by themselves, visibly, and come back with the next prompt. Real processes. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as SettingsText from "../../../src/settings/SettingsText.ts"
import { IdleLimit } from "../../../src/provider/acp/profile/IdleLimit.ts"
import { agentHarness, thread } from "../../support/AgentHarness.ts"
import { play, scripted, scriptedMain } from "../../support/ScriptedAgent.ts"

const within = (milliseconds: number) => Effect.provideService(IdleLimit, () => milliseconds)

const loads = { load: [] }
const ended = { message: "Ended after 2s without work. It comes back with the next prompt." }

describe("the time that an agent may be idle", () => {
  it("is what settings.json says, and a wrong one is told with its line", () => {
    const read = (text: string) => Result.getOrThrow(SettingsText.read("/settings.json", text))
    assert.strictEqual(read('{ "idleMinutes": 5, "turnLimitMiB": 8 }').settings.idleMinutes, 5)
    assert.strictEqual(read('{ "idleMinutes": 0 }').settings.idleMinutes, 0)
    for (const wrong of ["-1", "1.5", '"5"', "100000"]) {
      const { faults, settings } = read(`{\n  "idleMinutes": ${wrong}\n}`)
      assert.isUndefined(settings.idleMinutes)
      assert.include(faults[0]?.problem.cause ?? "", "Line 2, idleMinutes")
    }
  })
})

describe("an agent that has nothing to do", () => {
  it.live("ends, says so, and goes on with its session when there is a prompt", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(loads)
      const { resumeToken } = yield* agent.start()
      yield* play(agent, "t1", { text: "first" })
      const exit = yield* agent.next("session.exited")
      assert.isTrue(exit.expected)
      const told = agent.of("runtime.warning").at(-1)
      assert.strictEqual(told?.message, ended.message)
      assert.isUndefined(told?.turnId, "it is no part of the turn before")
      assert.isFalse(yield* agent.adapter.hasSession(thread))
      const again = yield* agent.start({ resume: resumeToken })
      assert.deepStrictEqual([again.resumeToken, again.origin], [resumeToken, "loaded"])
      yield* play(agent, "t2", { text: "second" })
    }).pipe(within(2000))
  )

  it.live("stays where it can't take its session up again", () =>
    Effect.gen(function* () {
      const other = ThreadId.make("other")
      const agent = yield* scripted({})
      yield* agent.start()
      const comes = yield* scripted(loads)
      yield* comes.start({ threadId: other })
      yield* comes.next("session.exited")
      assert.deepStrictEqual(agent.of("session.exited"), [])
      assert.isTrue(yield* agent.adapter.hasSession(thread))
    }).pipe(within(300))
  )

  it.live("stays as long as its turn goes on, however silent", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(loads)
      yield* agent.start()
      // Much longer than it may be idle.
      const turn = yield* play(agent, "t1", { wait: 1200 })
      assert.strictEqual(turn.outcome, "completed")
      assert.deepStrictEqual(agent.of("session.exited"), [])
      yield* agent.next("session.exited")
    }).pipe(within(300))
  )

  it.live("stays while a program runs that it was granted, however long", () =>
    Effect.gen(function* () {
      const workspace = () => ({ files: "off", terminals: true, shellLines: true, environment: "all" }) as const
      const agent = yield* scripted(loads, { profile: { workspace } })
      yield* agent.start()
      const params = { command: "sleep", args: ["1.5"] }
      const { at } = yield* play(agent, "t1", { request: { method: "terminal/create", params } })
      const exit = yield* agent.next("session.exited")
      assert.isAtLeast(exit.at - at, 1300)
    }).pipe(within(300))
  )

  it.live("stays while somebody is asked, however long", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(loads)
      yield* agent.start()
      // The agent asks, and ends its turn later than it may be idle.
      const asks = {
        permission: {
          toolCall: { toolCallId: "c", title: "ls" },
          options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
        }
      }
      const turn = yield* Effect.forkChild(play(agent, "t1", asks, { text: "done" }))
      const { at, request } = yield* agent.next("approval.requested")
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(agent.of("session.exited"), [])
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "yes"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      const exit = yield* agent.next("session.exited")
      assert.isAtLeast(exit.at - at, 1300)
    }).pipe(within(300))
  )

  it.live("stays for ever where the settings say 0", () =>
    Effect.gen(function* () {
      const never = yield* agentHarness(process.execPath, [scriptedMain], {
        env: { SCRIPTED_AGENT: JSON.stringify(loads) }
      }).pipe(within(0))
      yield* never.start()
      const idle = yield* scripted(loads).pipe(within(300))
      yield* idle.start()
      yield* idle.next("session.exited")
      assert.isTrue(yield* never.adapter.hasSession(thread))
    })
  )
})
