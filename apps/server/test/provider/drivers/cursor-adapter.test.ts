/** The reference transcripts of Cursor, as its adapter emits them. */
import { assert, describe, it } from "@effect/vitest"
import { type PromptPart, promptWords } from "@signalbox/contracts/Content"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { cursorHarness, groupMembers, type Harness, thread, untilGone } from "../../support/AgentHarness.ts"
import { TurnId } from "@signalbox/contracts/Ids"

const chosen = (agent: Harness, request: Parameters<typeof optionOf>[0], optionId: string) =>
  agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, optionId))

/** The types in order, runs of the same text kind as one. */
const outline = (events: ReadonlyArray<ProviderRuntimeEvent>): ReadonlyArray<string> =>
  events
    .filter(({ type }) => !type.endsWith(".delta") && type !== "commands.updated" && type !== "session.info.updated")
    .map(({ type }) => type)

const textOf = (agent: Harness) =>
  agent
    .of("message.delta")
    .map(({ text }) => text)
    .join("")

describe("CursorAdapter", () => {
  it.live("T1: a rejected command is a rejected call, and the turn goes on to its end", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "run `npm test`"))
      const { request, turnId } = yield* agent.next("approval.requested")
      assert.strictEqual(turnId, "t1")
      assert.strictEqual(request.reason, "Shell allowlist is empty")
      assert.deepStrictEqual(request.tool.subject, { type: "command", command: "npm test" })
      assert.deepStrictEqual(
        request.options.map(({ kind, name, optionId }) => [optionId, name, kind]),
        [
          ["allow-once", "Allow once", "allow_once"],
          ["allow-always", "Allow always", "allow_always"],
          ["reject-once", "Reject", "reject_once"]
        ]
      )
      const wrong = yield* Effect.flip(chosen(agent, request, "allow_once"))
      assert.strictEqual(wrong.problem.code, "option-unknown")
      yield* chosen(agent, request, "reject-once")
      const end = yield* Fiber.join(turn)
      assert.strictEqual(end.outcome, "completed")
      assert.deepStrictEqual(outline(agent.events), [
        "session.started",
        "settings.updated",
        "turn.started",
        "thought.completed",
        "tool.started",
        "tool.updated",
        "approval.requested",
        "approval.resolved",
        "tool.completed",
        "thought.completed",
        "message.completed",
        "turn.completed"
      ])
      assert.strictEqual(agent.of("tool.completed")[0]?.tool.status, "rejected")
      assert.deepStrictEqual(agent.of("approval.resolved")[0]?.outcome, {
        type: "answered",
        response: optionOf(request, "reject-once")
      })
    })
  )

  it.live("T2: February's build announces a call twice, knows modes only, and needs no settings", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ generation: "2026.02", quirks: "perm_none" })
      yield* agent.start()
      yield* agent.turn("t1", "run `pwd`")
      assert.strictEqual(agent.of("tool.started").length, 1)
      const [done] = agent.of("tool.completed")
      assert.strictEqual(done?.tool.title, "`pwd`")
      assert.strictEqual(done?.tool.result?.stdout, `${agent.folder}\n`)
      const [settings] = agent.of("settings.updated")
      assert.deepStrictEqual(
        settings?.settings.map(({ id }) => id),
        ["mode"]
      )
      const [mode] = yield* agent.set("mode", "plan")
      assert(mode?.type === "select")
      assert.strictEqual(mode.value, "plan")
    })
  )

  it.live("T3: Stop ends a turn as cancelled, and the next prompt works", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "hang"))
      yield* agent.next("thought.delta")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      const end = yield* Fiber.join(turn)
      assert.deepStrictEqual([end.outcome, end.stopReason], ["cancelled", "cancelled"])
      assert.strictEqual((yield* agent.turn("t2", "hello")).outcome, "completed")
      assert.strictEqual(agent.of("session.started").length, 1)
    })
  )

  it.live("T4: a second prompt is refused while the first runs, and does not reach the agent", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "hang"))
      yield* agent.next("thought.delta")
      const busy = yield* Effect.flip(agent.turn("t2", "hello"))
      assert.strictEqual(busy.problem.code, "turn-in-flight")
      assert.strictEqual(agent.of("turn.completed").length, 0)
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
    })
  )

  it.live("T5: the parameters of a model come with it and go with it", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const ids = (settings: ReadonlyArray<{ readonly id: string }>) => settings.map(({ id }) => id)
      const opus = yield* agent.set("model", "claude-opus-5")
      assert.deepStrictEqual(ids(opus), ["mode", "model", "thinking", "context", "effort", "fast"])
      const effort = (yield* agent.set("effort", "max")).find(({ id }) => id === "effort")
      assert(effort?.type === "select")
      assert.strictEqual(effort.value, "max")
      const names = JSON.stringify(agent.of("settings.updated").map(({ settings }) => settings))
      assert.notInclude(names, ":icon-")
      const unknown = yield* Effect.flip(agent.adapter.setSetting(thread, "effort", "boundless"))
      assert.strictEqual(unknown.problem.code, "setting-rejected")
      assert.notInclude(ids(yield* agent.set("model", "gemini-3.1-pro")), "effort")
      const gone = yield* Effect.flip(agent.adapter.setSetting(thread, "effort", "max"))
      assert.strictEqual(gone.problem.code, "setting-rejected")
    })
  )

  it.live("T6: to-dos become the plan, and merging keeps their words", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      yield* agent.turn("t1", "todos")
      const plan = agent.of("plan.updated").at(-1)
      assert.deepStrictEqual(
        plan?.entries.map(({ content, status }) => [content, status]),
        [
          ["Read the code", "completed"],
          ["Change it", "in_progress"],
          ["Run the tests", "pending"]
        ]
      )
    })
  )

  it.live.each([
    ["accept", { type: "accept" }, "The plan is accepted."],
    ["reject", { type: "reject", reason: "Too long" }, "Revising the plan. What should be different?"]
  ] as const)("T7: a plan waits for people, and the agent hears their word: %s", ([, response, answer]) =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      yield* agent.adapter.setSetting(thread, "mode", "plan")
      const turn = yield* Effect.forkChild(agent.turn("t1", "[[fake:plan]]"))
      const { request } = yield* agent.next("plan.proposed")
      assert.include(request.plan, "1. Add the greeting")
      yield* agent.adapter.respondToRequest(thread, request.requestId, response)
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      assert.include(textOf(agent), answer)
      assert.deepStrictEqual(agent.of("plan.resolved")[0]?.outcome, { type: "answered", response })
    })
  )

  it.live("T8: after a kill the session is loaded, nothing is doubled, and the conversation goes on", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const first = yield* agent.start()
      yield* agent.turn("t1", "remember the number seven")
      const pid = agent.of("session.started")[0]?.pid ?? 0
      process.kill(-pid, "SIGKILL")
      const exited = yield* agent.next("session.exited")
      assert.deepStrictEqual([exited.expected, exited.signal], [false, "SIGKILL"])
      assert.strictEqual(exited.problem?.code, "agent-exited")
      assert.isFalse(yield* agent.adapter.hasSession(thread))
      const none = yield* Effect.flip(agent.turn("t2", "hello"))
      assert.strictEqual(none.problem.code, "session-not-found")
      const told = agent.events.length
      const again = yield* agent.start({ resume: first.resumeToken, knownPrompts: ["remember the number seven"] })
      assert.deepStrictEqual([again.origin, again.resumeToken], ["loaded", first.resumeToken])
      assert.notStrictEqual(again.providerSessionId, first.providerSessionId)
      yield* agent.turn("t3", "go on")
      const later = agent.events.slice(told)
      assert.isFalse(later.some((event) => "replayed" in event))
      assert.strictEqual(later[0]?.type, "session.started")
    })
  )

  it.live("[44] T8: what was attached to a prompt does not keep it from being known again", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const first = yield* agent.start()
      const prompt: ReadonlyArray<PromptPart> = [
        { type: "text", text: "look at these" },
        { type: "resource_link", uri: "file:///p/a.ts", name: "a.ts" },
        { type: "audio", mimeType: "audio/wav", data: "UklGRg==" },
        { type: "resource", uri: "attachment:notes.txt", text: "one\n\ntwo" }
      ]
      yield* agent.adapter.sendTurn(thread, { turnId: TurnId.make("t1"), prompt })
      yield* agent.turn("t2", "thanks")
      yield* agent.adapter.stopAll
      const told = agent.events.length
      const again = yield* agent.start({ resume: first.resumeToken, knownPrompts: [promptWords(prompt), "thanks"] })
      assert.strictEqual(again.origin, "loaded")
      yield* agent.turn("t3", "go on")
      assert.isFalse(agent.events.slice(told).some((event) => "replayed" in event))
    })
  )

  it.live("T8: what the agent remembers beyond our record is shown once, as replayed", () =>
    Effect.gen(function* () {
      const before = yield* cursorHarness()
      const { resumeToken } = yield* before.start()
      yield* before.turn("t1", "first words")
      yield* before.turn("t2", "read README.md")
      yield* before.adapter.stopAll
      const agent = yield* cursorHarness({ state: before.state })
      const session = yield* agent.start({ resume: resumeToken, knownPrompts: ["first words"] })
      assert.strictEqual(session.origin, "loaded")
      yield* agent.turn("t3", "hello")
      assert.deepStrictEqual(
        agent.of("prompt.replayed").map(({ replayed, text }) => [text, replayed]),
        [["read README.md", true]]
      )
      assert.isTrue(agent.of("tool.started").every(({ replayed }) => replayed === true))
    })
  )

  it.live("T9: without a login the session says so, and nothing is left running", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({ env: { FAKE_CURSOR_AUTH: "none" } })
      const error = yield* Effect.flip(agent.start())
      assert.strictEqual(error.problem.code, "auth-required")
      assert.strictEqual(error.problem.evidence.rpcCode, -32000)
      assert.deepStrictEqual(agent.events, [])
      assert.isFalse(yield* agent.adapter.hasSession(thread))
    })
  )

  it.live("T10: an agent that does not exit when its input ends is ended, with its whole group", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness({
        quirks: "ignore_sigterm,worker_child",
        timing: { stop: { closeInput: "50 millis", terminate: "100 millis" } }
      })
      yield* agent.start()
      yield* agent.turn("t1", "hello")
      const { pid = 0 } = yield* agent.next("session.started")
      assert.isAtLeast(groupMembers(pid).length, 2)
      yield* agent.adapter.stopSession(thread)
      const exited = yield* agent.next("session.exited")
      assert.deepStrictEqual([exited.expected, exited.signal, exited.problem], [true, "SIGKILL", undefined])
      yield* untilGone(pid)
    })
  )

  it.live("T11: a request for an id that is not announced is shown, while thoughts go on", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const turn = yield* Effect.forkChild(agent.turn("t1", "[[fake:fetch url=https://a.example/x]]"))
      const { request } = yield* agent.next("approval.requested")
      assert.strictEqual(request.tool.toolCallId, "web_fetch_0")
      assert.deepStrictEqual(request.tool.subject, { type: "none" }, "the address stands in its title only")
      assert.strictEqual(request.tool.title, "Fetch https://a.example/x")
      yield* agent.next("thought.delta", ({ text }) => text.includes("While I wait"))
      yield* chosen(agent, request, "allow-once")
      yield* Fiber.join(turn)
      assert.strictEqual(agent.of("tool.started").length, 1)
      assert.notStrictEqual(agent.of("tool.started")[0]?.tool.toolCallId, "web_fetch_0")
    })
  )

  it.live("T12: a request after the turn's end is shown outside of any turn, and can be answered", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      yield* agent.turn("t1", "[[fake:task bg]]")
      const { request, turnId } = yield* agent.next("approval.requested")
      assert.isUndefined(turnId)
      yield* chosen(agent, request, "reject-once")
      // The sub-agent's own report counts more than the launch in its call.
      assert.strictEqual(agent.of("subagent.updated").at(-1)?.state, "completed")
      assert.strictEqual((yield* agent.turn("t2", "hello")).outcome, "completed")
    })
  )

  it.live("edits files in the session's folder and shows the difference", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* Effect.promise(() => writeFile(join(agent.folder, "notes.txt"), "one\n"))
      yield* agent.start()
      yield* agent.turn("t1", "[[fake:edit path=notes.txt]] [[fake:newfile path=new.txt]]")
      const [edit, created] = agent.of("tool.completed").map(({ tool }) => tool)
      assert.strictEqual(edit?.kind, "edit")
      assert.strictEqual(edit?.diffs[0]?.path, join(agent.folder, "notes.txt"))
      assert.include(edit?.diffs[0]?.oldText, "one")
      assert.isNull(created?.diffs[0]?.oldText)
      assert.notInclude(created?.diffs[0]?.newText, "++ b/")
    })
  )

  it.live("several calls at once stay apart", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      yield* agent.turn("t1", "[[fake:parallel]]")
      assert.strictEqual(agent.of("tool.started").length, 4)
      assert.strictEqual(new Set(agent.of("tool.completed").map(({ itemId }) => itemId)).size, 4)
    })
  )

  it.live("an error sent as text fails the turn and keeps the stop reason", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const end = yield* agent.turn("t1", "[[fake:error kind=retriable]]")
      assert.deepStrictEqual(
        [end.outcome, end.stopReason, end.problem?.code],
        ["failed", "end_turn", "agent-reported-error"]
      )
    })
  )

  it.live("an error of the protocol fails the turn, and the session lives on", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      yield* agent.start()
      const end = yield* agent.turn("t1", "[[fake:rpcerror]]")
      assert.strictEqual(end.outcome, "failed")
      assert.strictEqual(end.problem?.evidence.rpcCode, -32603)
      assert.strictEqual((yield* agent.turn("t2", "hello")).outcome, "completed")
    })
  )
})
