/** How sessions end by themselves, are stopped, and run side by side. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { cursorHarness, groupMembers, thread, untilGone } from "../../support/AgentHarness.ts"

describe("the end of a process", () => {
  it.live.each([
    ["1", { exitCode: 1 }],
    ["143", { exitCode: 143 }],
    ["signal", { signal: "SIGKILL" }]
  ] as const)("in the middle of a turn fails it, and keeps what had arrived: %s", ([code, evidence]) =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const { resumeToken } = yield* agent.start()
      const end = yield* agent.turn("t1", `[[fake:crash code=${code}]]`)
      assert.strictEqual(end.outcome, "failed")
      assert.strictEqual(end.problem?.code, "agent-exited")
      assert.deepInclude(end.problem?.evidence, evidence)
      const exited = yield* agent.next("session.exited")
      assert.isFalse(exited.expected)
      assert.deepInclude(exited, evidence)
      assert.isUndefined(exited.problem)
      assert.strictEqual(agent.of("message.delta")[0]?.text, "About to ")
      // Nobody said that the sentence was over.
      assert.deepStrictEqual(agent.of("message.completed"), [])
      const order = agent.events.map(({ type }) => type)
      assert.isBelow(order.indexOf("turn.completed"), order.indexOf("session.exited"))
      const again = yield* agent.start({ resume: resumeToken, knownPrompts: ["x"] })
      assert.include(["loaded", "replaced"], again.origin)
      assert.strictEqual((yield* agent.turn("t2", "hello")).outcome, "completed")
    })
  )

  it.live("[17] expires what waited for an answer, and closes what ran", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "run `npm test`"))
      const { request } = yield* agent.next("approval.requested")
      const { pid = 0 } = yield* agent.next("session.started")
      process.kill(pid, "SIGKILL")
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "failed")
      assert.strictEqual(agent.of("approval.resolved")[0]?.outcome.type, "expired")
      assert.strictEqual(agent.of("tool.completed")[0]?.tool.status, "unfinished")
      const late = yield* Effect.flip(
        agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "allow-once"))
      )
      assert.strictEqual(late.problem.code, "session-not-found")
    })
  )

  it.live("takes with it whatever it had started", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "worker_child" })
      yield* agent.start()
      const { pid = 0 } = yield* agent.next("session.started")
      assert.isAtLeast(groupMembers(pid).length, 2)
      process.kill(pid, "SIGKILL")
      yield* agent.next("session.exited")
      yield* untilGone(pid)
    })
  )
})

describe("stopping a turn", () => {
  it.live("[86] an agent that ignores it is ended with its group and started again, and the next prompt works", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({
        quirks: "cancel_notification_ignored,worker_child,ignore_sigterm",
        timing: { cancelGrace: Duration.millis(300) }
      })
      const first = yield* agent.start({ settings: { mode: "plan" } })
      yield* agent.turn("t0", "remember this")
      const turn = yield* Effect.forkChild(agent.turn("t1", "hang"))
      yield* agent.next("thought.delta", ({ turnId }) => turnId === "t1")
      const { pid = 0 } = yield* agent.next("session.started")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      const end = yield* Fiber.join(turn)
      assert.deepStrictEqual([end.outcome, end.problem?.code], ["cancelled", "cancel-timeout"])
      yield* untilGone(pid)
      // Asked at once, it waits for the new process.
      assert.strictEqual((yield* agent.turn("t2", "hello")).outcome, "completed")
      const [, second] = agent.of("session.started")
      assert.deepStrictEqual([second?.origin, second?.resumeToken], ["loaded", first.resumeToken])
      assert.deepStrictEqual(agent.of("prompt.replayed"), [])
      assert.deepStrictEqual(agent.of("session.exited")[0]?.expected, true)
      const mode = agent
        .of("settings.updated")
        .at(-1)
        ?.settings.find(({ id }) => id === "mode")
      assert(mode?.type === "select")
      assert.strictEqual(mode.value, "plan")
    })
  )

  it.live("[76][77] cancels what waits for people, and what comes to wait before the agent has heard", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "run `npm test`"))
      const { request } = yield* agent.next("approval.requested")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      assert.deepStrictEqual(agent.of("approval.resolved")[0]?.outcome, { type: "cancelled" })
      assert.strictEqual(agent.of("tool.completed")[0]?.tool.status, "cancelled")
      const late = yield* Effect.flip(
        agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "allow-once"))
      )
      assert.strictEqual(late.problem.code, "request-closed")
    })
  )

  it.live("[73] what comes after the end is late, and belongs to the turn that ended", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "cancel_late_updates" })
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "hang"))
      yield* agent.next("thought.delta")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      yield* Fiber.join(turn)
      const late = yield* agent.next("message.delta")
      assert.deepStrictEqual([late.turnId, late.late], ["t1", true])
      yield* agent.turn("t2", "hello")
      assert.isTrue(agent.of("message.delta").every(({ late, turnId }) => (turnId === "t1") === (late === true)))
    })
  )

  it.live("of another turn, or of none, changes nothing", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t9"))
      assert.strictEqual((yield* agent.turn("t1", "hello")).outcome, "completed")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual(agent.of("turn.completed").length, 1)
    })
  )

  it.live("stopping the session in the middle of a turn cancels it", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "hang"))
      yield* agent.next("thought.delta")
      yield* agent.adapter.stopSession(thread)
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      const exited = yield* agent.next("session.exited")
      assert.isTrue(exited.expected)
    })
  )
})

describe("many sessions", () => {
  it.live("run side by side, each in its own order, and end together with nothing left", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "worker_child" })
      const threads = Array.from({ length: 20 }, (_, index) => ThreadId.make(`thread-${index}`))
      yield* Effect.forEach(
        threads,
        (threadId) =>
          Effect.andThen(
            agent.start({ threadId }),
            agent.turn(`turn of ${threadId}`, `[[fake:stream n=200]]`, threadId)
          ),
        { concurrency: "unbounded" }
      )
      for (const threadId of threads) {
        const own = agent.of("message.delta").filter((event) => event.threadId === threadId)
        const text = own.map(({ text }) => text).join("")
        assert.strictEqual(text.split("\n").length, 201)
        let length = 0
        for (const { offset, text, turnId } of own) {
          assert.strictEqual(offset, length)
          assert.strictEqual(turnId, `turn of ${threadId}`)
          length += text.length
        }
      }
      const pids = agent.of("session.started").map(({ pid = 0 }) => pid)
      assert.strictEqual(new Set(pids).size, 20)
      yield* agent.adapter.stopAll
      assert.strictEqual(agent.of("session.exited").length, 20)
      yield* Effect.forEach(pids, untilGone)
    })
  )

  it.live("closing the adapter's scope ends every process", () =>
    Effect.gen(function* () {
      const pids = yield* Effect.scoped(
        Effect.gen(function* () {
          const agent = yield* cursorHarness({ quirks: "worker_child" })
          yield* agent.start()
          yield* Effect.forkDetach(agent.turn("t1", "hang"))
          yield* agent.next("thought.delta")
          return agent.of("session.started").map(({ pid = 0 }) => pid)
        })
      )
      assert.strictEqual(pids.length, 1)
      yield* Effect.forEach(pids, untilGone)
    })
  )
})
