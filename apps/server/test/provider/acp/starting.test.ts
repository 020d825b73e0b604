/** How sessions start and are taken up again, and why they may not. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  agentHarness,
  cursorHarness,
  emulator,
  temporaryFolder,
  thread,
  untilGone
} from "../../support/AgentHarness.ts"

/** Says 20 MB before it answers `initialize`, and works from then on. */
const floodingAgent = String.raw`
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n")
const say = (text) =>
  send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk",
    content: { type: "text", text } } } })
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (method === "initialize") {
    for (let i = 0; i < 2000; i++) say("x".repeat(10_000))
    send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  } else if (method === "session/new") send({ id, result: { sessionId: "s" } })
  else if (method === "session/prompt") {
    say("done")
    send({ id, result: { stopReason: "end_turn" } })
  }
})`

describe("starting", () => {
  it.live("[45] an agent that floods before its session has begun is read up to a bound, and a warning says so", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness(process.execPath, ["-e", floodingAgent])
      yield* agent.start()
      yield* agent.turn("t1", "go")
      const texts = agent.of("message.delta")
      const lengthOf = (before: boolean) =>
        texts.reduce((sum, { text, turnId }) => ((turnId === undefined) === before ? sum + text.length : sum), 0)
      assert.isAbove(lengthOf(true), 1_000_000)
      assert.isBelow(lengthOf(true), 5_000_000)
      assert.strictEqual(lengthOf(false), "done".length)
      const warnings = agent.of("runtime.warning").filter(({ message }) => message.includes("before its session"))
      assert.strictEqual(warnings.length, 1)
    })
  )

  it.live("a program that does not exist is named by its path", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness("/nowhere/agent", [])
      const { problem } = yield* Effect.flip(agent.start())
      assert.deepStrictEqual([problem.code, problem.evidence.path], ["agent-not-found", "/nowhere/agent"])
    })
  )

  it.live("a file that is no program is reported as such", () =>
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

  it.live("a program named without a folder is looked for in the agent's own PATH, past what is none", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(() => mkdir(join(folder, "first", "some-agent"), { recursive: true }))
      yield* Effect.promise(() => mkdir(join(folder, "second")))
      const path = join(folder, "second", "some-agent")
      yield* Effect.promise(() => writeFile(path, "#!/bin/sh\necho found >&2\nexit 3\n", { mode: 0o755 }))
      const env = { PATH: `${join(folder, "first")}:${join(folder, "second")}` }
      const { problem } = yield* Effect.flip((yield* agentHarness("some-agent", [], { env })).start())
      assert.deepStrictEqual([problem.code, problem.evidence.stderrTail], ["agent-exited", ["found"]])
      const other = yield* Effect.flip((yield* agentHarness("other-agent", [], { env })).start())
      assert.strictEqual(other.problem.code, "agent-not-found")
    })
  )

  it.live("an agent gets its environment and its arguments as they are", () =>
    Effect.gen(function* () {
      const env = { ONE: "$HOME", TWO: "a  'b\\" }
      const program = `
        for (const name of ${JSON.stringify(Object.keys(env))}) console.error(process.env[name])
        for (const arg of process.argv.slice(1)) console.error(JSON.stringify(arg))
        process.exit(3)`
      const args = ["-e", program, "$HOME", "a  b", "", "*"]
      const { problem } = yield* Effect.flip((yield* agentHarness(process.execPath, args, { env })).start())
      assert.deepStrictEqual(problem.evidence.stderrTail, ["$HOME", "a  'b\\", '"$HOME"', '"a  b"', '""', '"*"'])
    })
  )

  it.live("a folder that is missing, or none, is distinguished from a missing program", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const missing = yield* Effect.flip(agent.start({ cwd: "/nowhere/at/all" }))
      assert.deepStrictEqual([missing.problem.code, missing.problem.evidence.path], ["cwd-unusable", "/nowhere/at/all"])
      const file = yield* Effect.flip(agent.start({ cwd: emulator }))
      assert.deepStrictEqual([file.problem.code, file.problem.cause], ["cwd-unusable", `${emulator} is not a folder.`])
    })
  )

  it.live.skipIf(process.getuid?.() === 0)("a folder that may not be entered is told so (root may enter all)", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const closed = join(agent.folder, "closed")
      yield* Effect.promise(() => mkdir(closed, { mode: 0o000 }))
      const { problem } = yield* Effect.flip(agent.start({ cwd: closed }))
      assert.deepStrictEqual([problem.code, problem.evidence.path], ["cwd-unusable", closed])
      assert.strictEqual(problem.cause, `${closed} may not be read by this user.`)
    })
  )

  it.live("an exit before the first answer is reported with the program's last words", () =>
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

  it.live("a program that does not speak the protocol is reported with what it wrote to stdout", () =>
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
        timing: { start: Duration.seconds(1) }
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
    ["hang_initialize", "initialize", 600],
    // The calls before it have to be answered in this time, also on a busy machine.
    ["hang_new", "session/new", 5000]
  ] as const)("an agent that never answers is given up, and nothing is left of it: %s", ([quirks, method, start]) =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({
        quirks,
        timing: { start: Duration.millis(start) }
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
  it.live("reports the end of the session, too", () =>
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
