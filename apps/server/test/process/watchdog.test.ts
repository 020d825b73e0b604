/** A slow start is reported, and one without progress is ended. The state of an agent is available at any time. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken, TurnId } from "@signalbox/contracts/Ids"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import * as KnownPrograms from "../../src/provider/acp/profile/KnownPrograms.ts"
import { defaultTiming } from "../../src/provider/acp/profile/SessionTiming.ts"
import * as StartWatch from "../../src/provider/acp/connection/StartWatch.ts"
import { startTiming } from "../../src/provider/catalog/StartTiming.ts"
import type { SlowStart } from "../../src/provider/Services/ProviderAdapter.ts"
import { agentHarness, temporaryFolder, thread } from "../support/AgentHarness.ts"
import { carriersOf } from "../../../../packages/process/test/support/Sleepers.ts"
import { tenacious } from "../support/Tenacious.ts"

/** Answers each call when the file of that name is there. Makes a file that says that it was called. */
const waitingAgent = String.raw`
const { existsSync, watch, writeFileSync } = require("node:fs")
const waiting = []
const results = { initialize: { protocolVersion: 1, agentCapabilities: {} }, "session/new": { sessionId: "s" } }
const look = () => {
  for (const message of waiting.splice(0)) {
    if (!existsSync(message.method.replace("/", "-"))) waiting.push(message)
    else process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: results[message.method] }) + "\n")
  }
}
watch(".", look)
process.stderr.write("waiting\n")
const lines = require("node:readline").createInterface({ input: process.stdin })
lines.on("close", () => process.exit())
lines.on("line", (line) => {
  const message = JSON.parse(line)
  waiting.push(message)
  writeFileSync(message.method.replace("/", "-") + "-called", "")
  look()
})`

describe("a slow start", () => {
  it.effect("is reported once, with the awaited call and the last words of the agent, and goes on", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness(process.execPath, ["-e", waitingAgent], {
        timing: { slow: Duration.millis(1500) }
      })
      const told: Array<SlowStart> = []
      const first = yield* Deferred.make<void>()
      const onSlow = (slow: SlowStart) => {
        told.push(slow)
        Deferred.doneUnsafe(first, Effect.void)
      }
      const allow = (name: string) => writeFileSync(join(agent.folder, name), "")
      allow("initialize")
      const start = yield* Effect.forkChild(agent.start({ onSlow }))
      // The last words are read by now: the agent wrote them before it answered `initialize`.
      yield* Effect.sync(() => existsSync(join(agent.folder, "session-new-called"))).pipe(
        Effect.repeat({ until: (called) => called, schedule: Schedule.spaced("5 millis") }),
        TestClock.withLive
      )
      yield* TestClock.adjust("1499 millis")
      assert.isEmpty(told)
      yield* TestClock.adjust("1 millis")
      yield* Deferred.await(first)
      allow("session-new")
      assert.strictEqual((yield* Fiber.join(start)).origin, "new")
      assert.deepStrictEqual(told, [{ afterMs: 1500, waitingFor: "session/new", stderrTail: ["waiting"] }])
    })
  )

  it.live("is reported also before the agent's program runs", () =>
    Effect.gen(function* () {
      const slow = yield* Deferred.make<SlowStart>()
      const agent = yield* agentHarness("", [], {
        timing: { slow: Duration.millis(10) },
        // The launch begins when the start was reported as slow.
        profile: {
          launch: () => Effect.as(Deferred.await(slow), { command: "/nowhere/agent", args: [], env: {} })
        }
      })
      const onSlow = (what: SlowStart) => Deferred.doneUnsafe(slow, Effect.succeed(what))
      const { problem } = yield* Effect.flip(agent.start({ onSlow }))
      assert.strictEqual(problem.code, "agent-not-found")
      assert.deepStrictEqual(yield* Deferred.await(slow), { afterMs: 10, waitingFor: "launch", stderrTail: [] })
    })
  )

  it.live("is not reported when the start ends in time", () =>
    Effect.gen(function* () {
      const cwd = yield* temporaryFolder
      const agent = yield* agentHarness("", [])
      let told = 0
      yield* agent.adapter.startSession({ ...tenacious({ threadId: thread, cwd }), onSlow: () => told++ })
      assert.strictEqual(told, 0)
    })
  )
})

/** Replays one call of a tool for each file that is written, and answers with the file `done`. */
const rememberingAgent = String.raw`
const { watch } = require("node:fs")
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n")
const told = new Set()
let load
watch(".", (_, name) => {
  if (told.has(name)) return
  told.add(name)
  if (name === "done") return say({ id: load, result: {} })
  const update = { sessionUpdate: "tool_call", toolCallId: name, title: name, status: "completed" }
  say({ method: "session/update", params: { sessionId: "s", update } })
})
const lines = require("node:readline").createInterface({ input: process.stdin })
lines.on("close", () => process.exit())
lines.on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } })
  else if (method === "session/load") {
    load = id
    say({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "first",
      title: "first", status: "completed" } } })
  }
})`

/** An agent that is sending a long history. `arrival` waits for a call of that name. */
const telling = Effect.gen(function* () {
  const heard = yield* Queue.unbounded<string>()
  const agent = yield* agentHarness(process.execPath, ["-e", rememberingAgent], {
    profile: {
      tidyTool: (tool) => {
        Queue.offerUnsafe(heard, tool.title)
        return tool
      }
    }
  })
  // Each call arrives more than once: the profile examines it after every update.
  const arrival = (name: string) => Effect.repeat(Queue.take(heard), { until: (heard) => heard === name })
  const start = yield* Effect.forkChild(agent.start({ resume: ResumeToken.make("s") }))
  yield* arrival("first")
  return { arrival, start, write: (name: string) => writeFileSync(join(agent.folder, name), "") }
})

describe("a start that does not get on", () => {
  it.effect("is given up before the agent's program runs, too", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness("", [], { profile: { launch: () => Effect.never } })
      const start = yield* Effect.forkChild(Effect.flip(agent.start()), { startImmediately: true })
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(start.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { problem } = yield* Fiber.join(start)
      assert.deepStrictEqual([problem.code, problem.evidence], ["agent-start-timeout", {}])
      assert.strictEqual(problem.cause, "It showed no progress for 30 s: its program is not running yet.")
    })
  )

  it.effect("may take three minutes to its first words where it is fetched first, and no longer", () =>
    Effect.gen(function* () {
      const limits = { slow: defaultTiming.slow, start: defaultTiming.start }
      const fetched = (then: (watch: StartWatch.StartWatch) => void) =>
        StartWatch.watched(GenericProfile, undefined, limits, (watch) => {
          watch.step("initialize", KnownPrograms.firstWordsWithin("/usr/bin/npx"))
          return Effect.andThen(
            Effect.delay(
              Effect.sync(() => then(watch)),
              "100 seconds"
            ),
            Effect.never
          )
        }).pipe(Effect.flip, Effect.forkChild({ startImmediately: true }))
      const [silent, opening] = [yield* fetched(() => {}), yield* fetched((watch) => watch.step("session/new"))]
      yield* TestClock.adjust("129 seconds")
      assert.deepStrictEqual([silent.pollUnsafe(), opening.pollUnsafe()], [undefined, undefined])
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(opening)).problem.evidence.method, "session/new")
      yield* TestClock.adjust("49 seconds")
      assert.isUndefined(silent.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { problem } = yield* Fiber.join(silent)
      assert.strictEqual(problem.cause, "It showed no progress for 180 s: initialize is not answered.")
      assert.isTrue(Duration.isZero(KnownPrograms.firstWordsWithin("/usr/bin/agent")))
    })
  )

  it.effect("goes on while the agent sends a history, however long that is", () =>
    Effect.gen(function* () {
      const { arrival, start, write } = yield* telling
      for (const name of ["one", "two", "three"]) {
        yield* TestClock.adjust("20 seconds")
        write(name)
        yield* arrival(name)
      }
      write("done")
      assert.strictEqual((yield* Fiber.join(start)).origin, "loaded")
    })
  )

  it.effect("is given up when the history stops in the middle", () =>
    Effect.gen(function* () {
      const { arrival, start, write } = yield* telling
      yield* TestClock.adjust("20 seconds")
      write("one")
      yield* arrival("one")
      yield* TestClock.adjust("30 seconds")
      const { problem } = yield* Effect.flip(Fiber.join(start))
      assert.deepStrictEqual([problem.code, problem.evidence.method], ["agent-start-timeout", "session/load"])
    })
  )
})

describe.skipIf(process.platform !== "linux")("a start that takes too long", () => {
  it.live.each(["initialize", "session/new"])(
    "is given up, says what was not answered, and leaves nothing: %s",
    (method) =>
      Effect.gen(function* () {
        const cwd = yield* temporaryFolder
        const limit = Duration.seconds(5)
        const agent = yield* agentHarness("", [], { timing: { start: limit } })
        const input = tenacious({ threadId: thread, cwd, env: { SILENT_ON: method, TEST_RUN: cwd } })
        const { problem } = yield* Effect.flip(agent.adapter.startSession(input))
        assert.deepStrictEqual([problem.code, problem.evidence.method], ["agent-start-timeout", method])
        assert.match(problem.evidence.stderrTail?.join() ?? "", /^child \d+$/)
        assert.deepStrictEqual([carriersOf("TEST_RUN", cwd), yield* agent.adapter.health], [[], []])
      })
  )
})

describe("how long a start may take", () => {
  const timingIn = (env: Record<string, string>) =>
    Effect.provideService(startTiming, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

  it.effect("is set by environment variables", () =>
    Effect.gen(function* () {
      const { slow, start } = yield* timingIn({
        SIGNALBOX_START_SLOW: "3 seconds",
        SIGNALBOX_START_TIMEOUT: "2 minutes"
      })
      assert.deepStrictEqual(
        [slow, start].map((duration) => Duration.toSeconds(duration)),
        [3, 120]
      )
    })
  )

  it.effect("keeps its defaults when the variables make no sense", () =>
    Effect.gen(function* () {
      const { slow, start } = yield* timingIn({ SIGNALBOX_START_SLOW: "soon", SIGNALBOX_START_TIMEOUT: "0 seconds" })
      assert.deepStrictEqual({ slow, start }, { slow: defaultTiming.slow, start: defaultTiming.start })
      assert.deepStrictEqual(
        [slow, start].map((duration) => Duration.toSeconds(duration)),
        [10, 30]
      )
    })
  )
})

describe("the health of an agent", () => {
  it.live("reports its process, its pipes, its memory with its children's, and its state", () =>
    Effect.gen(function* () {
      const cwd = yield* temporaryFolder
      const agent = yield* agentHarness("", [])
      const before = Date.now()
      yield* agent.adapter.startSession(tenacious({ threadId: thread, cwd }))
      const { pid = 0 } = yield* agent.next("session.started")
      const [ready, ...others] = yield* agent.adapter.health
      assert(ready !== undefined)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(ready, { threadId: thread, name: "Tenacious", pid, state: "ready", pipes: "open" })
      assert.strictEqual(ready.stderrLines, 1)
      assert.isAtLeast(ready.startedAt, before)
      assert.isAtLeast(ready.lastSignAt, ready.startedAt)
      // Node alone has more than this.
      assert.isAbove(ready.rssBytes ?? 0, 20_000_000)
      const turn = yield* Effect.forkChild(
        agent.adapter.sendTurn(thread, { turnId: TurnId.make("t1"), prompt: [{ type: "text", text: "go" }] })
      )
      yield* agent.next("turn.started")
      const [working] = yield* agent.adapter.health
      assert.strictEqual(working?.state, "working")
      assert.isAtLeast(working?.lastSignAt ?? 0, ready.lastSignAt)
      yield* agent.adapter.stopSession(thread)
      yield* Fiber.join(turn)
      assert.deepStrictEqual(yield* agent.adapter.health, [])
    })
  )
})
