/** How sessions start, end by themselves, are stopped and are taken up again. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  agentHarness,
  cursorHarness,
  emulator,
  groupMembers,
  temporaryFolder,
  thread,
  untilGone
} from "./support/AgentHarness.ts"

describe("starting", () => {
  it.live("a program that does not exist is told by its path", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness("/nowhere/agent", [])
      const { problem } = yield* Effect.flip(agent.start())
      assert.deepStrictEqual([problem.code, problem.evidence.path], ["agent-not-found", "/nowhere/agent"])
    })
  )

  it.live("a file that is no program is told so", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const path = join(folder, "agent")
      yield* Effect.promise(() => writeFile(path, "#!/bin/sh\n"))
      yield* Effect.promise(() => chmod(path, 0o644))
      const { problem } = yield* Effect.flip((yield* agentHarness(path, [])).start())
      assert.strictEqual(problem.code, "agent-start-failed")
      assert.include(problem.cause, path)
    })
  )

  it.live("a folder that is missing, or none, is told apart from a missing program", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const missing = yield* Effect.flip(agent.start({ cwd: "/nowhere/at/all" }))
      assert.deepStrictEqual([missing.problem.code, missing.problem.evidence.path], ["cwd-unusable", "/nowhere/at/all"])
      const file = yield* Effect.flip(agent.start({ cwd: emulator }))
      assert.deepStrictEqual([file.problem.code, file.problem.cause], ["cwd-unusable", `${emulator} is not a folder.`])
    })
  )

  it.live("an exit before the first answer is told with its last words", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness("/bin/sh", ["-c", "echo 'no licence' >&2; exit 3"])
      const { problem } = yield* Effect.flip(agent.start())
      assert.deepStrictEqual(
        [problem.code, problem.evidence],
        ["agent-exited", { exitCode: 3, stderrTail: ["no licence"], stderrLines: 1 }]
      )
      assert.deepStrictEqual(agent.events, [])
    })
  )

  it.live("a program that does not speak the protocol is told with what it wrote to stdout", () =>
    Effect.gen(function* () {
      const lines = 'for i in $(seq 30); do echo "usage: foo $i"; done; echo \'{"error":"no licence"}\'; exit 3'
      const { problem } = yield* Effect.flip((yield* agentHarness("/bin/sh", ["-c", lines])).start())
      assert.deepStrictEqual([problem.code, problem.evidence.exitCode], ["agent-exited", 3])
      assert.include(problem.cause, '{"error":"no licence"}')
      const { stdoutTail = [] } = problem.evidence
      assert.deepStrictEqual([stdoutTail.length, stdoutTail[0], stdoutTail[18]], [20, "usage: foo 12", "usage: foo 30"])
    })
  )

  it.live("a program that floods stdout is given up in time, with the last of it and no more", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness("/usr/bin/yes", ["y".repeat(3000)], {
        timing: { start: { initialize: Duration.millis(300), open: Duration.millis(300) } }
      })
      const { problem } = yield* Effect.flip(agent.start())
      assert.deepStrictEqual([problem.code, problem.evidence.method], ["agent-start-timeout", "initialize"])
      const { stdoutTail = [] } = problem.evidence
      assert.isAtMost(stdoutTail.join("").length, 4096)
      assert.isAbove(stdoutTail.length, 0)
      assert.match(problem.cause, /not the protocol: yyy/)
    })
  )

  it.live("a broken project configuration is named", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* Effect.promise(() => mkdir(join(agent.folder, ".cursor")))
      yield* Effect.promise(() => writeFile(join(agent.folder, ".cursor/cli.json"), '{"nonsense":true}'))
      const { problem } = yield* Effect.flip(agent.start())
      assert.strictEqual(problem.code, "config-invalid")
      assert.include(problem.cause, "cli.json")
    })
  )

  it.live.each([
    ["hang_initialize", "initialize"],
    ["hang_new", "session/new"]
  ] as const)("an agent that never answers is given up, and nothing is left of it: %s", ([quirks, method]) =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({
        quirks,
        timing: { start: { initialize: Duration.millis(600), open: Duration.millis(600) } }
      })
      const { problem } = yield* Effect.flip(agent.start())
      assert.deepStrictEqual([problem.code, problem.evidence.method], ["agent-start-timeout", method])
      assert.deepStrictEqual(yield* agent.adapter.listSessions, [])
    })
  )

  it.live("a transient failure of session/new is tried again once", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "new_transient_error" })
      assert.strictEqual((yield* agent.start()).origin, "new")
    })
  )

  it.live("a login that fails does not matter when the session works", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "auth_browser_error" })
      assert.strictEqual((yield* agent.start()).origin, "new")
    })
  )

  it.live("callers that come together share one start", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const sessions = yield* Effect.all([agent.start(), agent.start(), agent.start()], { concurrency: "unbounded" })
      assert.strictEqual(new Set(sessions.map(({ providerSessionId }) => providerSessionId)).size, 1)
      assert.strictEqual(agent.of("session.started").length, 1)
      assert.strictEqual((yield* agent.adapter.listSessions).length, 1)
    })
  )

  it.live("a start goes on when its caller leaves", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const first = yield* Effect.forkChild(agent.start(), { startImmediately: true })
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* agent.start()).origin, "new")
      assert.strictEqual(agent.of("session.started").length, 1)
    })
  )

  it.live("stopping during the start ends it", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "hang_new" })
      const starting = yield* Effect.forkChild(Effect.flip(agent.start()), { startImmediately: true })
      yield* agent.adapter.stopSession(thread)
      assert.strictEqual((yield* Fiber.join(starting)).problem.code, "session-not-found")
      assert.deepStrictEqual(agent.events, [])
    })
  )
})

describe("a start that is stopped when the session is announced", () => {
  it.live("tells the end of the session too", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "split_writes" })
      yield* Effect.forkChild(
        Effect.flip(agent.start({ settings: { model: "claude-opus-5", effort: "max", mode: "plan" } })),
        { startImmediately: true }
      )
      const { pid = 0 } = yield* agent.next("session.started")
      yield* agent.adapter.stopSession(thread)
      assert.strictEqual((yield* agent.next("session.exited")).expected, true)
      assert.isFalse(yield* agent.adapter.hasSession(thread))
      yield* untilGone(pid)
    })
  )
})

describe("taking a session up again", () => {
  const old = ResumeToken.make("11111111-2222-3333-4444-555555555555")

  it.live("one that is gone is replaced by a new one, and says why", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const session = yield* agent.start({ resume: old, knownPrompts: ["hello"] })
      assert.strictEqual(session.origin, "replaced")
      assert.notStrictEqual(session.resumeToken, old)
      assert.strictEqual(agent.directory.get(thread)?.resumeToken, session.resumeToken)
      const [started] = agent.of("session.started")
      assert.isDefined(started?.problem)
      assert.strictEqual(started?.problem?.evidence.method, "session/load")
      assert.strictEqual((yield* agent.turn("t1", "hello")).outcome, "completed")
    })
  )

  it.live("one that the agent has and cannot find is replaced", () =>
    Effect.gen(function* () {
      const before = yield* cursorHarness()
      const { resumeToken } = yield* before.start()
      yield* before.turn("t1", "hello")
      yield* before.adapter.stopAll
      const agent = yield* cursorHarness({ state: before.state, quirks: "load_not_found" })
      assert.strictEqual((yield* agent.start({ resume: resumeToken })).origin, "replaced")
    })
  )

  it.live("what people had chosen is put in place again, the model first, and what is gone is named", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start({
        settings: { effort: "max", mode: "plan", model: "claude-opus-5", nonsense: "x", context: "9m" }
      })
      const { applied, skipped } = yield* agent.next("session.configured")
      assert.deepStrictEqual(
        applied.map(({ settingId }) => settingId),
        ["model", "mode", "effort"]
      )
      assert.deepStrictEqual(
        skipped.map(({ settingId }) => settingId),
        ["context", "nonsense"]
      )
      const settings = new Map(
        agent
          .of("settings.updated")
          .at(-1)
          ?.settings.map((setting) => [setting.id, setting])
      )
      for (const [id, value] of Object.entries({ model: "claude-opus-5", mode: "plan", effort: "max" })) {
        const setting = settings.get(id)
        assert(setting?.type === "select")
        assert.strictEqual(setting.value, value)
      }
    })
  )
})

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
      assert.strictEqual(agent.of("message.completed")[0]?.length, 9)
      const order = agent.events.map(({ type }) => type)
      assert.isBelow(order.indexOf("message.completed"), order.indexOf("turn.completed"))
      assert.isBelow(order.indexOf("turn.completed"), order.indexOf("session.exited"))
      const again = yield* agent.start({ resume: resumeToken, knownPrompts: ["x"] })
      assert.include(["loaded", "replaced"], again.origin)
      assert.strictEqual((yield* agent.turn("t2", "hello")).outcome, "completed")
    })
  )

  it.live("expires what waited for an answer, and closes what ran", () =>
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
        agent.adapter.respondToRequest(thread, request.requestId, { type: "option", optionId: "allow-once" })
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
  it.live("an agent that ignores it is ended with its group and started again, and the next prompt works", () =>
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

  it.live("cancels what waits for people, and what comes to wait before the agent has heard", () =>
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
        agent.adapter.respondToRequest(thread, request.requestId, { type: "option", optionId: "allow-once" })
      )
      assert.strictEqual(late.problem.code, "request-closed")
    })
  )

  it.live("what comes after the end is late, and belongs to the turn that ended", () =>
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
