/** What agents do to a wire, and what an adapter makes of it. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Schedule from "effect/Schedule"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { AgentOptions, Harness } from "../../support/AgentHarness.ts"
import { agentHarness, cursorHarness, thread } from "../../support/AgentHarness.ts"

const scriptedMain = fileURLToPath(
  new URL("../../../../../packages/stand-in-agents/src/scripted/main.ts", import.meta.url)
)

/** Over the scripted agent: prompts are lists of steps. */
const scripted = (setup: object = {}, options: AgentOptions = {}) =>
  agentHarness(process.execPath, [scriptedMain], { ...options, env: { SCRIPTED_AGENT: JSON.stringify(setup) } })

const play = (agent: Harness, turnId: string, ...steps: ReadonlyArray<object>) =>
  agent.turn(turnId, JSON.stringify(steps))

const textOf = (agent: Harness) =>
  agent
    .of("message.delta")
    .map(({ text }) => text)
    .join("")

/** User and system time of a process, in ticks. */
const cpuTicks = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return Number(fields[11]) + Number(fields[12])
}

/** Whether a figure is what it was the last time. */
const stands = () => {
  let before = -1
  return (now: number) => {
    const same = now === before
    before = now
    return same
  }
}

const permission = (toolCallId: string, ...optionIds: ReadonlyArray<string>) => ({
  permission: {
    toolCall: { toolCallId, title: toolCallId },
    options: optionIds.map((optionId) => ({ optionId, name: `Do ${optionId}`, kind: "allow_once" }))
  }
})

describe("a session survives", () => {
  it.live("[66] an unknown update in the middle of a turn", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "unknown_update" })
      yield* agent.start()
      assert.strictEqual((yield* agent.turn("t1", "hello")).outcome, "completed")
      assert.strictEqual(agent.of("protocol.unknown")[0]?.kind, "cursor_future_thing")
    })
  )

  it.live("[16] noise on stdout, and shows it", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "stdout_noise" })
      yield* agent.start()
      assert.strictEqual((yield* agent.turn("t1", "hello")).outcome, "completed")
      assert.isDefined(agent.of("runtime.warning").find(({ message }) => message.includes("no message"))?.detail)
    })
  )

  it.live("[15] a flood on stderr", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const end = yield* play(agent, "t1", { stderr: "x".repeat(99), times: 20_000 }, { text: "still here" })
      assert.strictEqual(end.outcome, "completed")
      assert.strictEqual(textOf(agent), "still here")
      yield* play(agent, "t2", { stderr: "last words" }, { crash: 2 })
      const { evidence } = (yield* agent.next("turn.completed", ({ turnId }) => turnId === "t2")).problem ?? {}
      assert.strictEqual(evidence?.stderrLines, 20_001)
      assert.isAtMost(evidence?.stderrTail?.length ?? 0, 200)
      assert.strictEqual(evidence?.stderrTail?.at(-1), "last words")
    })
  )

  it.live("writes that end anywhere, in the middle of a character too", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ quirks: "split_writes" })
      yield* agent.start()
      yield* agent.turn("t1", "häßlich 😀 Zeichen")
      assert.include(textOf(agent), "häßlich 😀 Zeichen")
    })
  )

  it.live("[14] a line of megabytes", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(
        agent,
        "t1",
        { text: "a" },
        { raw: `{"jsonrpc":"2.0","method":"x/y","params":"` },
        { raw: "z".repeat(1_000), times: 5_000 },
        { raw: '"}\n' },
        { text: "b" }
      )
      assert.strictEqual(textOf(agent), "ab")
    })
  )

  it.live("a request for what we do not offer, which gets an error", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(
        agent,
        "t1",
        { request: { method: "fs/read_text_file", params: { path: "/etc/passwd" } } },
        { request: { method: "terminal/create", params: { command: "ls" } } },
        { request: { method: "vendor/unheard_of", params: {} } }
      )
      assert.strictEqual(textOf(agent).split("-32601").length, 4)
    })
  )

  it.live("[65][67] malformed parts of a message, and says which", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(agent, "t1", {
        update: { sessionUpdate: "tool_call", toolCallId: "a", title: "A", kind: 7, content: [{ type: "nonsense" }] }
      })
      assert.strictEqual(agent.of("tool.started")[0]?.tool.kind, "other")
      assert.include(agent.of("runtime.warning")[0]?.detail, "kind")
    })
  )
})

describe("requests to people", () => {
  it.live("[89] several are open at once, and are answered in any order with the agent's own ids", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const turn = yield* Effect.forkChild(
        play(agent, "t1", {
          together: [[permission("one", "proceed_once", "no")], [permission("two", "x", "y")], [{ text: "meanwhile" }]]
        })
      )
      const one = yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === "one")
      const two = yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === "two")
      yield* agent.next("message.delta", ({ text }) => text.includes("meanwhile"))
      const { adapter } = agent
      yield* adapter.respondToRequest(thread, two.request.requestId, optionOf(two.request, "y"))
      yield* adapter.respondToRequest(thread, one.request.requestId, optionOf(one.request, "proceed_once"))
      yield* Fiber.join(turn)
      assert.include(textOf(agent), "permission y")
      assert.include(textOf(agent), "permission proceed_once")
    })
  )

  it.live("do not hold up the stream", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const turn = yield* Effect.forkChild(
        play(agent, "t1", { together: [[permission("one", "ok")], [{ repeat: 50, steps: [{ text: "{i} " }] }]] })
      )
      const { request } = yield* agent.next("approval.requested")
      yield* agent.next("message.delta", ({ text }) => text.includes("49 "))
      assert.isEmpty(agent.of("approval.resolved"))
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "ok"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
    })
  )

  it.live("[77] that come between Stop and the agent's answer are answered cancelled at once", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ onCancel: "ignore" })
      yield* agent.start()
      const turn = yield* Effect.forkChild(
        play(agent, "t1", { text: "go" }, permission("one", "ok"), permission("two", "ok"), { stop: "cancelled" })
      )
      yield* agent.next("approval.requested")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      assert.strictEqual(textOf(agent), "gopermission cancelledpermission cancelled")
      assert.deepStrictEqual(
        agent.of("approval.resolved").map(({ outcome }) => outcome.type),
        ["cancelled", "cancelled"]
      )
    })
  )
})

/** An agent that ends its first turn with an open request, and reports its answer in the second turn. */
const forgetfulAgent = String.raw`
const send = (...messages) =>
  process.stdout.write(messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join(""))
const ask = (id) => ({ id, method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId: id },
  options: [{ optionId: "ok", name: "Ok", kind: "allow_once" }] } })
const answers = []
let second
const tell = () => {
  if (second === undefined || answers.length === 0) return
  send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: answers.join() } } } }, { id: second, result: { stopReason: "end_turn" } })
}
let prompts = 0
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result } = JSON.parse(line)
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  else if (method === "session/new") send({ id, result: { sessionId: "s" } })
  else if (method === "session/prompt" && ++prompts === 1)
    send(ask("inside"), { id, result: { stopReason: "end_turn" } }, ask("outside"))
  else if (method === "session/prompt") {
    second = id
    tell()
  } else if (method === undefined) {
    answers.push(id + " " + result.outcome.outcome)
    tell()
  }
})`

describe("the end of a turn", () => {
  it.live("cancels what the agent still asks of it, and leaves open what belongs to no turn", () =>
    Effect.gen(function* () {
      const agent = yield* agentHarness(process.execPath, ["-e", forgetfulAgent])
      yield* agent.start()
      yield* agent.turn("t1", "go")
      const outside = yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === "outside")
      const kinds = agent.events.map(({ type }) => type)
      assert.isBelow(kinds.indexOf("approval.resolved"), kinds.indexOf("turn.completed"))
      yield* agent.turn("t2", "go on")
      assert.strictEqual(textOf(agent), "inside cancelled")
      const resolved = agent.of("approval.resolved").map(({ outcome, turnId }) => `${turnId} ${outcome.type}`)
      assert.deepStrictEqual(resolved, ["t1 cancelled"])
      const { request } = outside
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "ok"))
    })
  )

  it.live.each([
    ["end_turn", "completed"],
    ["cancelled", "cancelled"],
    ["refusal", "refused"],
    ["max_tokens", "limited"],
    ["max_turn_requests", "limited"],
    ["something_new", "completed"]
  ] as const)("keeps the meaning of %s", ([stop, outcome]) =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const end = yield* play(agent, "t1", { text: "x" }, { stop })
      assert.deepStrictEqual([end.outcome, end.stopReason], [outcome, stop])
    })
  )

  it.live("[32] by −32000 asks for a login, and the code is kept", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const end = yield* play(agent, "t1", {
        error: { code: -32000, message: "Authentication required", data: { a: 1 } }
      })
      assert.strictEqual(end.outcome, "failed")
      assert.strictEqual(end.problem?.code, "auth-required")
      assert.deepStrictEqual(end.problem?.evidence, {
        method: "session/prompt",
        rpcCode: -32000,
        rpcMessage: "Authentication required",
        rpcData: '{"a":1}'
      })
    })
  )

  it.live("by an error leaves what was being said without an end; one with a stop reason does not", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const failed = yield* play(agent, "t1", { text: "half a sen" }, { error: { code: -32603, message: "gone" } })
      assert.deepStrictEqual([failed.outcome, agent.of("message.completed").length], ["failed", 0])
      const refused = yield* play(agent, "t2", { text: "No." }, { stop: "refusal" })
      assert.deepStrictEqual([refused.outcome, agent.of("message.completed").length], ["refused", 1])
    })
  )

  it.live("[80] by an error after Stop is a cancelled turn", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ onCancel: { error: { code: -32603, message: "aborted" } } })
      yield* agent.start()
      const turn = yield* Effect.forkChild(play(agent, "t1", { text: "x" }, { waitForCancel: true }))
      yield* agent.next("message.delta")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      const end = yield* Fiber.join(turn)
      assert.deepStrictEqual([end.outcome, end.problem], ["cancelled", undefined])
    })
  )

  it.live("[80] that races with Stop is honoured as it was", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ onCancel: "ignore" })
      yield* agent.start()
      const turn = yield* Effect.forkChild(play(agent, "t1", { text: "x" }, { wait: 100 }, { stop: "end_turn" }))
      yield* agent.next("message.delta")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
    })
  )

  it.live("[12] comes after every update before it, however fast they come", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      for (const round of [1, 2, 3]) {
        yield* play(agent, `t${round}`, { repeat: 5_000, steps: [{ text: "{i}," }] }, { after: [{ text: "late" }] })
        yield* agent.next("message.delta", ({ late, turnId }) => late === true && turnId === `t${round}`)
        const own = agent.events.filter((event) => "turnId" in event && event.turnId === `t${round}`)
        const end = own.findIndex(({ type }) => type === "turn.completed")
        const before = own.slice(0, end).flatMap((event) => (event.type === "message.delta" ? [event.text] : []))
        assert.strictEqual(before.join("").split(",").length, 5_001)
        assert.isTrue(own.slice(end + 1).every((event) => "late" in event && event.late))
      }
    })
  )
})

describe("taking up", () => {
  it.live("resumes where the agent offers it, without a replay", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ resume: {}, load: {} })
      const { resumeToken } = yield* agent.start()
      yield* agent.adapter.stopSession(thread)
      const again = yield* agent.start({ resume: resumeToken })
      assert.deepStrictEqual([again.origin, again.resumeToken], ["resumed", resumeToken])
    })
  )

  it.live("loads when resuming fails, and starts anew when both do", () =>
    Effect.gen(function* () {
      const gone = { error: { code: -32002, message: "Session not found" } }
      const loads = yield* scripted({ resume: gone, load: { replay: [{ user: "old" }, { text: "words" }] } })
      const token = (yield* loads.start()).resumeToken
      yield* loads.adapter.stopSession(thread)
      assert.strictEqual((yield* loads.start({ resume: token })).origin, "loaded")
      assert.strictEqual((yield* loads.next("message.delta")).text, "words")
      const anew = yield* scripted({ resume: gone, load: { ...gone, replay: [{ user: "old" }, { text: "words" }] } })
      assert.strictEqual((yield* anew.start({ resume: token })).origin, "replaced")
      yield* play(anew, "t1", { text: "hi" })
      // The history of a failed load is not shown.
      assert.strictEqual(textOf(anew), "hi")
    })
  )

  it.live("says when the agent offers neither", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      const { resumeToken } = yield* agent.start()
      yield* agent.adapter.stopSession(thread)
      assert.strictEqual((yield* agent.start({ resume: resumeToken })).origin, "replaced")
      assert.strictEqual(agent.of("session.started")[1]?.problem?.code, "session-not-found")
    })
  )

  it.live("leaves settings switchable", () =>
    Effect.gen(function* () {
      const option = (id: string, value: unknown, more: object) => ({ id, name: id, currentValue: value, ...more })
      const configOptions = [
        option("fast", false, { type: "boolean" }),
        option("depth", "a", {
          type: "select",
          options: [
            { value: "a", name: "A" },
            { value: "b", name: "B" }
          ]
        })
      ]
      const agent = yield* scripted({ load: {}, newSession: { configOptions } })
      const { resumeToken } = yield* agent.start()
      yield* agent.adapter.stopSession(thread)
      yield* agent.start({ resume: resumeToken, settings: { fast: true } })
      const [fast, depth] = yield* agent.set("depth", "b")
      assert(fast?.type === "boolean" && depth?.type === "select")
      assert.deepStrictEqual([fast.value, depth.value], [true, "b"])
    })
  )
})

describe("the stream of events", () => {
  it.live("holds a flooding agent back while nobody takes its events, and loses nothing", () =>
    Effect.gen(function* () {
      const open = Latch.makeUnsafe(true)
      const agent = yield* scripted({}, { gate: open })
      yield* agent.start()
      yield* play(agent, "t0", { text: "ready" })
      open.closeUnsafe()
      const piece = "x".repeat(1_000)
      const turn = yield* Effect.forkChild(play(agent, "t1", { repeat: 20_000, steps: [{ text: piece }] }))
      const { pid = 0 } = yield* agent.next("session.started")
      // 20 MB fit neither into what waits here nor into the pipe: the agent is stopped in the middle of writing.
      yield* Effect.sync(() => cpuTicks(pid)).pipe(
        Effect.delay("100 millis"),
        Effect.repeat({ schedule: Schedule.recurs(30), until: stands() })
      )
      const { turns } = yield* agent.adapter.readThread(thread)
      assert.strictEqual(turns.at(-1)?.status, "working")
      open.openUnsafe()
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      assert.strictEqual(textOf(agent).length, "ready".length + 20_000_000)
    })
  )

  it.live("is read by readThread as it was sent", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(agent, "t1", { text: "one " }, { text: "two" })
      const { items, turns } = yield* agent.adapter.readThread(thread)
      assert.deepStrictEqual(
        turns.map(({ status, turnId }) => [turnId, status]),
        [["t1", "completed"]]
      )
      assert.deepStrictEqual(
        items.flatMap((item) => (item.type === "message" ? [item.text] : [])),
        ["one two"]
      )
    })
  )

  it.live("rolling back is refused with the reason", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const { problem } = yield* Effect.flip(agent.adapter.rollbackThread(thread, TurnId.make("t1")))
      assert.strictEqual(problem.code, "unsupported")
      assert(!agent.adapter.capabilities.rollback.supported)
      assert.strictEqual(problem.cause, agent.adapter.capabilities.rollback.reason)
    })
  )
})
