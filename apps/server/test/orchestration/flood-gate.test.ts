/** The storage of one turn has a limit. The transcript reports the excess, and the turn continues to its end. */
import type { RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { EventId, ItemId, ProviderSessionId, RequestId, ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FloodGate from "../../src/orchestration/FloodGate.ts"
import { mebibyte, TurnLimit } from "../../src/orchestration/TurnLimit.ts"
import * as SettingsText from "../../src/settings/SettingsText.ts"
import * as Databases from "../support/Databases.ts"
import { threadId, toolCall } from "../support/ThreadEvents.ts"
import { bootOn, databaseFile, local, messageText } from "../support/ThreadsHarness.ts"

const turnId = TurnId.make("turn")
let count = 0
const stamp = (tapeLine?: number) => ({
  eventId: EventId.make(`event-${++count}`),
  providerKind: "acp" as const,
  providerSessionId: ProviderSessionId.make("session"),
  threadId,
  at: 1,
  turnId,
  ...(tapeLine !== undefined && { tapeLine })
})
const item = (name: string) => ItemId.make(`${turnId}:${name}`)
const delta = (name: string, offset: number, text: string, line?: number): ProviderRuntimeEvent => ({
  type: "message.delta",
  ...stamp(line),
  itemId: item(name),
  offset,
  text
})
const completed = (name: string, length: number): ProviderRuntimeEvent => ({
  type: "message.completed",
  ...stamp(),
  itemId: item(name),
  length
})
const told = (
  type: "tool.started" | "tool.updated" | "tool.completed",
  tool: Partial<ToolCall>,
  line?: number
): ProviderRuntimeEvent => ({
  type,
  ...stamp(line),
  itemId: item(tool.toolCallId ?? "call"),
  tool: toolCall(tool)
})
const started = (): ProviderRuntimeEvent => ({ type: "turn.started", ...stamp() })
const ended = (): ProviderRuntimeEvent => ({ type: "turn.completed", ...stamp(), outcome: "completed" })

const gateOf = (limit: () => number) => {
  const made = FloodGate.make(limit)
  return { pass: (events: ReadonlyArray<ProviderRuntimeEvent>) => FloodGate.pass(made, events) }
}
const gate = (limit = mebibyte) => gateOf(() => limit)
const warnings = (events: ReadonlyArray<ProviderRuntimeEvent>) =>
  events.flatMap((event) => (event.type === "runtime.warning" ? [event] : []))
const bytes = (events: ReadonlyArray<ProviderRuntimeEvent>): number =>
  events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0)

const k64 = "x".repeat(65_536)

describe("a flood of plans", () => {
  const plan = (content: string, line?: number): ProviderRuntimeEvent => ({
    type: "plan.updated",
    ...stamp(line),
    entries: [{ content, priority: "medium", status: "pending" }]
  })

  it("is cut at the limit, and the last plan is sent at the end of the turn", () => {
    const { pass } = gate()
    const kept = [...pass([started()])]
    for (let index = 0; index < 100; index++) kept.push(...pass([plan(`${index} ${k64}`, 10 + index)]))
    const last = pass([plan("the last", 200), ended()])
    assert.isBelow(bytes(kept), 1.2 * mebibyte)
    const plans = last.flatMap((event) => (event.type === "plan.updated" ? [event.entries[0]?.content] : []))
    assert.deepStrictEqual(plans, ["the last"])
    assert.match(warnings(last).at(-1)?.message ?? "", /^5\.\d MiB of what the agent sent are left out here\.$/)
    assert.strictEqual(last.at(-1)?.type, "turn.completed")
  })

  it("keeps the latest for the end where it does not fit", () => {
    const { pass } = gate()
    pass([started()])
    assert.deepStrictEqual(pass([plan("x".repeat(2 * mebibyte))]), [])
    assert.deepStrictEqual(
      pass([ended()]).map(({ type }) => type),
      ["plan.updated", "turn.completed"]
    )
  })

  it("is sent at once behind a flood of text", () => {
    const { pass } = gate()
    pass([started(), delta("assistant", 0, "x".repeat(2 * mebibyte))])
    assert.deepStrictEqual(
      pass([plan("seen")]).map(({ type }) => type),
      ["plan.updated"]
    )
  })
})

describe("a flood of text", () => {
  it("is cut at the limit that held when its turn began", () => {
    let limit = mebibyte
    const { pass } = gateOf(() => limit)
    pass([started(), delta("assistant", 0, "x".repeat(2 * mebibyte))])
    limit = 64 * mebibyte
    assert.deepStrictEqual(warnings(pass([delta("assistant:2", 0, "more")])), [])
    assert.include(warnings(pass([ended()]))[0]?.detail ?? "", "Signalbox keeps 1 MiB of a turn")
    const next = pass([started(), delta("assistant", 0, "x".repeat(2 * mebibyte))])
    assert.deepStrictEqual(
      next.slice(-2).map(({ type }) => type),
      ["turn.started", "message.delta"]
    )
  })

  it("is cut at the limit, and the entry says how much was left out and where the tape has it", () => {
    const { pass } = gate()
    const kept = [...pass([started()])]
    for (let index = 0; index < 400; index++) kept.push(...pass([delta(`assistant:${index}`, 0, k64, 1000 + index)]))
    kept.push(...pass([ended()]))
    assert.isBelow(bytes(kept), 1.2 * mebibyte)
    const told = warnings(kept)
    // At once, after each 16 MiB, and at the end.
    assert.isAtMost(told.length, 4)
    assert.strictEqual(new Set(told.map(({ eventId }) => eventId)).size, 1)
    assert.match(told[0]?.message ?? "", /^More than 65 KiB of what the agent sends are left out here\.$/)
    const last = told.at(-1)
    assert.strictEqual(last?.message, "24.2 MiB of what the agent sent are left out here.")
    assert.include(last?.detail ?? "", "Signalbox keeps 1 MiB of a turn")
    assert.include(last?.detail ?? "", "from line 1,015 to line 1,399")
    assert.strictEqual(kept.at(-1)?.type, "turn.completed")
  })

  it("counts bytes and not characters", () => {
    const { pass } = gate()
    const kept = pass(Array.from({ length: 40 }, (_, index) => delta(`a:${index}`, 0, "語".repeat(20_000))))
    assert.strictEqual(kept.filter(({ type }) => type === "message.delta").length, 17)
  })

  it("says so where no tape has it, or not all of it", () => {
    const untaped = gate(10)
    assert.include(warnings(untaped.pass([delta("a", 0, k64)]))[0]?.detail ?? "", "No tape has it.")
    const partly = gate(10)
    partly.pass([delta("a", 0, k64, 7)])
    const [, warning] = warnings([...partly.pass([delta("b", 0, k64)]), ...partly.pass([ended()])])
    assert.include((warning ?? warnings(partly.pass([ended()]))[0])?.detail ?? "", "to line 7, but not all of it")
  })

  it("ends the text that was cut where it was cut, so that nobody looks for the rest", () => {
    const { pass } = gate(100_000)
    const kept = pass([
      delta("a", 0, k64),
      delta("a", 65_536, k64),
      completed("a", 131_072),
      delta("b", 0, k64),
      completed("b", 65_536)
    ])
    const ends = kept.flatMap((event) => (event.type === "message.completed" ? [[event.itemId, event.length]] : []))
    assert.deepStrictEqual(ends, [[item("a"), 65_536]])
  })

  it("leaves the next turn its own limit, and a history that is loaded too", () => {
    const session: ProviderRuntimeEvent = {
      type: "session.started",
      ...stamp(),
      origin: "loaded",
      resumeToken: ResumeToken.make("token"),
      capabilities: { rollback: { supported: false, reason: "Never." }, resume: true, images: false }
    }
    for (const next of [started(), session]) {
      const { pass } = gate(100_000)
      pass([delta("a", 0, k64), delta("b", 0, k64)])
      assert.deepStrictEqual(pass([delta("c", 0, "more")]), [])
      assert.deepStrictEqual(
        pass([next]).map(({ type }) => type),
        ["runtime.warning", next.type]
      )
      assert.deepStrictEqual(
        pass([delta("d", 0, "new")]).map(({ type }) => type),
        ["message.delta"]
      )
    }
  })
})

describe("a flood of tool calls", () => {
  it("counts a call that is sent again only as it is now", () => {
    const { pass } = gate()
    for (let index = 0; index < 100; index++) {
      const kept = pass([told("tool.updated", { rawOutput: "o".repeat(500_000 + index) })])
      assert.deepStrictEqual(warnings(kept), [])
    }
  })

  it.each([
    ["rawInput", { rawInput: "x".repeat(2 * mebibyte) }],
    ["rawOutput", { rawOutput: "x".repeat(2 * mebibyte) }],
    ["a diff", { diffs: [{ path: "a", oldText: "x".repeat(mebibyte), newText: "y".repeat(mebibyte) }] }],
    ["content", { content: [{ type: "image" as const, mimeType: "image/png", data: "x".repeat(2 * mebibyte) }] }],
    [
      "a terminal",
      { terminals: [{ terminalId: "t", state: "exited" as const, output: "x".repeat(2 * mebibyte), truncated: false }] }
    ]
  ])("counts %s, and still says how the call ended", (_, more) => {
    const { pass } = gate()
    pass([started(), told("tool.started", { title: "make", status: "in_progress" })])
    const [kept, warning] = pass([told("tool.completed", { ...more, status: "completed", endedAt: 9 })])
    assert.deepInclude(kept?.type === "tool.completed" ? kept.tool : {}, {
      title: "make",
      status: "completed",
      endedAt: 9
    })
    assert.isBelow(bytes([kept!]), 2000)
    assert.strictEqual(warning?.type, "runtime.warning")
  })

  it("leaves out further calls, and lets requests and the end pass", () => {
    const { pass } = gate(10)
    pass([delta("a", 0, k64)])
    assert.deepStrictEqual(pass([told("tool.started", { toolCallId: "late" })]), [])
    assert.deepStrictEqual(
      pass([ended()]).map(({ type }) => type),
      ["runtime.warning", "turn.completed"]
    )
  })
})

describe("a flood of what passes text", () => {
  const written = (index: number): ProviderRuntimeEvent => ({
    type: "file.written",
    ...stamp(),
    itemId: item(`written:${index}`),
    path: `/${"p".repeat(4000)}${index}`,
    bytes: 1,
    created: false
  })
  const problem = (index: number): ProviderRuntimeEvent => ({
    type: "runtime.error",
    ...stamp(),
    problem: {
      code: "agent-exited",
      title: "It failed.",
      evidence: {},
      cause: `${index} ${"c".repeat(4000)}`,
      nextSteps: []
    }
  })

  it.each([
    ["files that were written", written],
    ["problems", problem]
  ])("%s are cut at a limit of their own, and not by a flood of text", (_, of) => {
    const { pass } = gate()
    pass([started(), delta("a", 0, "x".repeat(2 * mebibyte))])
    const kept: Array<ProviderRuntimeEvent> = []
    for (let index = 0; index < 1000; index++) kept.push(...pass([of(index)]))
    const { length } = kept.filter(({ type }) => type === of(0).type)
    assert.isAbove(length, 200)
    assert.isBelow(bytes(kept), 1.2 * mebibyte)
    assert.match(
      warnings(pass([ended()])).at(-1)?.message ?? "",
      /^\d\.\d MiB of what the agent sent are left out here\.$/
    )
  })

  const asked = (index: number): ProviderRuntimeEvent => ({
    type: "approval.requested",
    ...stamp(),
    request: {
      type: "approval",
      requestId: RequestId.make(`request-${index}`),
      at: 1,
      tool: toolCall({ rawInput: k64 }),
      options: []
    }
  })
  const resolved = (index: number, outcome: RequestOutcome): ProviderRuntimeEvent => ({
    type: "approval.resolved",
    ...stamp(),
    requestId: RequestId.make(`request-${index}`),
    outcome
  })
  const response = { type: "option", optionId: "yes" } as const

  it("requests that the settings allowed at once count as text, and are left out with their answer", () => {
    const { pass } = gate()
    const kept = [...pass([started()])]
    for (let index = 0; index < 100; index++)
      kept.push(...pass([asked(index), resolved(index, { type: "answered", by: "settings", response })]))
    const ofType = (type: string) => kept.filter((event) => event.type === type).length
    assert.strictEqual(ofType("approval.requested"), 15)
    assert.strictEqual(ofType("approval.resolved"), 15)
    assert.strictEqual(warnings(kept).length, 1)
  })

  it("requests that people are asked pass, and so do their answers", () => {
    const { pass } = gate()
    pass([started(), delta("a", 0, "x".repeat(2 * mebibyte))])
    const types = [...pass([asked(1)]), ...pass([resolved(1, { type: "answered", response })])].map(({ type }) => type)
    assert.deepStrictEqual(types, ["approval.requested", "approval.resolved"])
  })
})

describe("the entry about what is left out", () => {
  const detail = (events: ReadonlyArray<ProviderRuntimeEvent>) => warnings(events).at(-1)?.detail ?? ""

  it("says that the agent goes on only while its turn runs", () => {
    const { pass } = gate(10)
    assert.include(detail(pass([started(), delta("a", 0, k64)])), "The agent goes on.")
    const end = pass([ended()])
    assert.strictEqual(warnings(end).length, 1)
    assert.notInclude(detail(end), "goes on")
  })

  it("says so of no history that is loaded, and of nothing that comes outside of turns", () => {
    const { pass } = gate(10)
    assert.notInclude(detail(pass([delta("a", 0, k64)])), "goes on")
  })

  it("takes its last figure back when more is left out after the end of the turn", () => {
    const { pass } = gate(10)
    pass([started(), delta("a", 0, k64), ended()])
    const [late] = warnings(pass([delta("b", 0, k64)]))
    assert.match(late?.message ?? "", /^More than 129 KiB/)
    assert.notInclude(late?.detail ?? "", "goes on")
    assert.match(warnings(pass([started()]))[0]?.message ?? "", /^129 KiB of what the agent sent/)
  })
})

describe("the limit of a turn", () => {
  it("is what settings.json says, and a wrong one is reported with its line", () => {
    const read = (text: string) => {
      const reading = SettingsText.read("/settings.json", text)
      if (reading._tag === "Failure") throw new Error("unreadable")
      return reading.success
    }
    assert.strictEqual(read('{ "turnLimitMiB": 8 }').settings.turnLimitMiB, 8)
    assert.deepStrictEqual(read('{ "turnLimitMiB": 8 }').faults, [])
    for (const wrong of ["0", "1.5", '"8"', "5000"]) {
      const { faults, settings } = read(`{\n  "turnLimitMiB": ${wrong}\n}`)
      assert.isUndefined(settings.turnLimitMiB)
      assert.include(faults[0]?.problem.cause ?? "", "Line 2, turnLimitMiB")
    }
  })

  it.live("bounds what the database holds, and the thread says so after a restart, too", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const host = (path: string) => local(path).pipe(Layer.provide(Layer.succeed(TurnLimit, () => 20_000)))
      const server = yield* bootOn(host, file)
      const thread = ThreadId.make("thread")
      yield* server.create(thread)
      yield* server.prompt(thread, turnId, `flood 4000; say ${"word ".repeat(2000)}`)
      const view = yield* server.ended(thread, turnId)
      assert.strictEqual(view.turns[0]?.status, "completed")
      const entry = view.items.find(({ type }) => type === "warning")
      assert.match(
        entry?.type === "warning" ? entry.message : "",
        /^\d+ KiB of what the agent sent are left out here\.$/
      )
      yield* server.prompt(thread, TurnId.make("turn-2"), "say still here")
      yield* server.ended(thread, TurnId.make("turn-2"))
      yield* server.kill
      const rows = Databases.query(file, "SELECT sum(length(payload)) AS size FROM items WHERE kind <> 'prompt'")
      assert.isBelow(Number(rows[0]?.["size"]), 24_000)
      const again = yield* bootOn(host, file)
      const after = yield* again.until(thread, () => true)
      assert.deepStrictEqual(
        after.items.find(({ type }) => type === "warning"),
        entry
      )
      assert.strictEqual(messageText(after, TurnId.make("turn-2")), "still here")
    })
  )
})
