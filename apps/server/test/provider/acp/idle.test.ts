/** Agents that have nothing to do end by themselves, visibly, and come back with the next prompt. Real processes. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SettingsText from "../../../src/settings/SettingsText.ts"
import { IdleLimit } from "../../../src/provider/acp/profile/IdleLimit.ts"
import { type AgentOptions, type Harness, thread } from "../../support/AgentHarness.ts"
import { play, scripted } from "../../support/ScriptedAgent.ts"

const within = (milliseconds: number) => Effect.provideService(IdleLimit, () => milliseconds)

/** An agent whose session can be taken up again. The processes are real, and the time is ours: nothing comes too early or too late. */
const loading = (options: AgentOptions = {}) =>
  scripted({ load: [] }, { ...options, timing: { silence: Duration.zero, noHistory: Duration.zero } })
const ended = { message: "Ended after 2s without work. It comes back with the next prompt." }

/** Much longer than any of these agents may be idle. */
const long = TestClock.adjust("10 minutes")

/** Lets time go by until the agent has ended. It may need a moment to show that it is idle. */
const exit = Effect.fnUntraced(function* (agent: Harness) {
  const exited = yield* Effect.forkChild(agent.next("session.exited"))
  while (exited.pollUnsafe() === undefined) {
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return yield* Fiber.join(exited)
})

describe("the time that an agent may be idle", () => {
  it("is what settings.json says, and a wrong one is reported with its line", () => {
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
  it.effect("ends, says so, and goes on with its session when there is a prompt", () =>
    Effect.gen(function* () {
      const agent = yield* loading()
      const { resumeToken } = yield* agent.start()
      yield* play(agent, "t1", { text: "first" })
      yield* TestClock.adjust("1999 millis")
      assert.isTrue(yield* agent.adapter.hasSession(thread))
      yield* TestClock.adjust("1 millis")
      const { expected } = yield* agent.next("session.exited")
      assert.isTrue(expected)
      const told = agent.of("runtime.warning").at(-1)
      assert.strictEqual(told?.message, ended.message)
      assert.isUndefined(told?.turnId, "it is no part of the turn before")
      assert.isFalse(yield* agent.adapter.hasSession(thread))
      const again = yield* agent.start({ resume: resumeToken })
      assert.deepStrictEqual([again.resumeToken, again.origin], [resumeToken, "loaded"])
      yield* play(agent, "t2", { text: "second" })
    }).pipe(within(2000))
  )

  it.effect("stays where it can't take its session up again", () =>
    Effect.gen(function* () {
      const other = ThreadId.make("other")
      const agent = yield* scripted({})
      yield* agent.start()
      const comes = yield* loading()
      yield* comes.start({ threadId: other })
      yield* exit(comes)
      yield* long
      assert.deepStrictEqual(agent.of("session.exited"), [])
      assert.isTrue(yield* agent.adapter.hasSession(thread))
    }).pipe(within(300))
  )

  it.effect("stays as long as its turn goes on, however silent", () =>
    Effect.gen(function* () {
      const agent = yield* loading()
      yield* agent.start()
      const turn = yield* Effect.forkChild(play(agent, "t1", { waitForFile: "go" }))
      yield* agent.next("turn.started")
      yield* long
      assert.deepStrictEqual(agent.of("session.exited"), [])
      writeFileSync(join(agent.folder, "go"), "")
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      yield* exit(agent)
    }).pipe(within(300))
  )

  it.effect("stays while a program runs that it was granted, however long", () =>
    Effect.gen(function* () {
      const workspace = () => ({ files: "off", terminals: true, shellLines: true, environment: "all" }) as const
      const agent = yield* loading({ profile: { workspace } })
      yield* agent.start()
      const params = { command: "sh", args: ["-c", "until [ -e go ]; do sleep 0.05; done"] }
      yield* play(agent, "t1", { request: { method: "terminal/create", params } })
      yield* long
      assert.deepStrictEqual(agent.of("session.exited"), [])
      writeFileSync(join(agent.folder, "go"), "")
      yield* exit(agent)
    }).pipe(within(300))
  )

  it.effect("stays while somebody is asked, however long", () =>
    Effect.gen(function* () {
      const agent = yield* loading()
      yield* agent.start()
      const asks = {
        permission: {
          toolCall: { toolCallId: "c", title: "ls" },
          options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
        }
      }
      const turn = yield* Effect.forkChild(play(agent, "t1", asks, { text: "done" }))
      const { request } = yield* agent.next("approval.requested")
      yield* long
      assert.deepStrictEqual(agent.of("session.exited"), [])
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "yes"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      yield* exit(agent)
    }).pipe(within(300))
  )

  it.effect("stays for ever where the settings say 0", () =>
    Effect.gen(function* () {
      const never = yield* loading().pipe(within(0))
      yield* never.start()
      const idle = yield* loading().pipe(within(300))
      yield* idle.start()
      yield* exit(idle)
      yield* TestClock.adjust("1 day")
      assert.isTrue(yield* never.adapter.hasSession(thread))
    })
  )
})
