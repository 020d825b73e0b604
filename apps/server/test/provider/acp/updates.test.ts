/** What updates of the agent leave standing of what was said before them. */
import { assert, describe, it } from "@effect/vitest"
import { RequestId } from "@signalbox/contracts/Ids"
import * as FileProjection from "../../../src/provider/acp/projection/FileProjection.ts"
import * as RequestProjection from "../../../src/provider/acp/projection/RequestProjection.ts"
import * as SessionProjection from "../../../src/provider/acp/projection/SessionProjection.ts"
import { call, change, projection, text } from "../../support/ProjectionHarness.ts"

const started = () => {
  const session = projection()
  session.begin("t1")
  return session
}

describe("an update of a call", () => {
  const block = (text: string) => ({ type: "content", content: { type: "text", text } })

  it("[64] leaves what it does not name, or names as null, and replaces lists and outputs whole", () => {
    const session = started()
    session.feed(
      call("a", {
        title: "Edit notes",
        kind: "edit",
        status: "in_progress",
        content: [block("one"), block("two")],
        locations: [{ path: "/a" }, { path: "/b", line: 3 }],
        rawInput: { path: "/a", keep: 1 },
        rawOutput: { first: true }
      })
    )
    const [before] = session.of("tool.started")
    session.feed(change("a", { title: null, kind: null, status: null, content: null, locations: null }))
    assert.deepStrictEqual(session.of("tool.updated"), [], "nothing has changed")
    session.feed(
      change("a", {
        content: [block("three")],
        locations: [{ path: "/c" }],
        rawInput: { path: "/c" },
        rawOutput: { second: true }
      })
    )
    const after = session.of("tool.updated").at(-1)?.tool
    assert.strictEqual(after?.title, "Edit notes")
    assert.strictEqual(after?.kind, "edit")
    assert.strictEqual(after?.status, "in_progress")
    assert.deepStrictEqual(after?.content, [{ type: "text", text: "three" }])
    assert.deepStrictEqual(after?.locations, [{ path: "/c" }])
    assert.strictEqual(after?.rawInput, '{"path":"/c"}')
    assert.strictEqual(after?.rawOutput, '{"second":true}')
    assert.strictEqual(before?.tool.content.length, 2)
    session.feed(change("a", { content: [], locations: [] }))
    const emptied = session.of("tool.updated").at(-1)?.tool
    assert.deepStrictEqual([emptied?.content, emptied?.locations], [[], []])
  })

  it("[65] a call of which little is said is of another kind, and pending", () => {
    const session = started()
    session.feed({ sessionUpdate: "tool_call", toolCallId: "a", title: "Think" })
    const [tool] = session.of("tool.started")
    assert.deepStrictEqual([tool?.tool.kind, tool?.tool.status], ["other", "pending"])
  })

  it("[74] a diff without an old text is a new file, whether the text is null or not there", () => {
    const session = started()
    session.feed(
      call("a", {
        kind: "edit",
        content: [
          { type: "diff", path: "/null", oldText: null, newText: "x" },
          { type: "diff", path: "/absent", newText: "x" },
          { type: "diff", path: "/empty", oldText: "", newText: "x" }
        ]
      })
    )
    assert.deepStrictEqual(
      session.of("tool.started")[0]?.tool.diffs.map(({ oldText, path }) => [path, oldText]),
      [
        ["/null", null],
        ["/absent", null],
        ["/empty", ""]
      ]
    )
  })
})

describe("a list that comes again", () => {
  it("[68] a plan takes the place of the one before, entries and all", () => {
    const session = started()
    const entry = (content: string) => ({ content, priority: "medium", status: "pending" })
    session.feed({ sessionUpdate: "plan", entries: [entry("a"), entry("b")] })
    session.feed({ sessionUpdate: "plan", entries: [entry("c")] })
    session.feed({ sessionUpdate: "plan", entries: [] })
    assert.deepStrictEqual(
      session.of("plan.updated").map(({ entries }) => entries.map(({ content }) => content)),
      [["a", "b"], ["c"], []]
    )
  })

  it("[68] plans with names stand beside each other: one is replaced or removed by its own", () => {
    const session = started()
    const items = (planId: string, ...contents: ReadonlyArray<string>) => ({
      sessionUpdate: "plan_update",
      plan: {
        type: "items",
        planId,
        entries: contents.map((content) => ({ content, priority: "low", status: "pending" }))
      }
    })
    session.feed(items("one", "a", "b"))
    session.feed(items("two", "c"))
    session.feed(items("one", "d"))
    session.feed({ sessionUpdate: "plan_removed", planId: "one" })
    session.feed({ sessionUpdate: "plan_removed", planId: "nobody's" })
    assert.deepStrictEqual(
      session.of("plan.updated").map(({ entries }) => entries.map(({ content }) => content)),
      [["a", "b"], ["a", "b", "c"], ["d", "c"], ["c"]]
    )
  })

  it("[68] a plan may be a text, whose lines can be ticked off, or a file", () => {
    const session = started()
    const plan = (plan: object) => session.feed({ sessionUpdate: "plan_update", plan: { planId: "p", ...plan } })
    plan({ type: "markdown", content: "# Plan\n- [x] look\n- [ ] mend\n  - [ ] test\nAnd rest." })
    plan({ type: "markdown", content: " Look, then mend. " })
    plan({ type: "file", uri: "file:///plan.md" })
    plan({ type: "markdown", content: `${"\n".repeat(400_000)}- [ ] far down` })
    plan({ type: "markdown", content: "" })
    assert.deepStrictEqual(
      session.of("plan.updated").map(({ entries }) => entries.map(({ content, status }) => `${content}: ${status}`)),
      [
        ["look: completed", "mend: pending", "test: pending"],
        ["Look, then mend.: pending"],
        ["file:///plan.md: pending"],
        ["far down: pending"],
        []
      ]
    )
  })

  it("[69] commands take the place of those before", () => {
    const session = started()
    const names = (...all: ReadonlyArray<string>) => ({
      sessionUpdate: "available_commands_update",
      availableCommands: all.map((name) => ({ name, description: "" }))
    })
    session.feed(names("a", "b"))
    session.feed(names("c"))
    assert.deepStrictEqual(
      session.of("commands.updated").map(({ commands }) => commands.map(({ name }) => name)),
      [["a", "b"], ["c"]]
    )
  })

  it("[70] usage is what was said last: a cost that is not said again is none, and any word is a currency", () => {
    const session = started()
    const used = { sessionUpdate: "usage_update", used: 10, size: 100 }
    session.feed({ ...used, cost: { amount: 1.5, currency: "ducats" } })
    session.feed({ ...used, used: 20 })
    const [first, second] = session.of("usage.updated")
    assert.deepStrictEqual(first?.cost, { amount: 1.5, currency: "ducats" })
    assert.strictEqual(second?.used, 20)
    assert.isUndefined(second?.cost)
  })

  it("usage beyond what can be counted is not taken, and the transcript has it as it was sent", () => {
    const session = started()
    const most = Number.MAX_SAFE_INTEGER
    const usage = (used: number, size: number, amount?: number) => ({
      sessionUpdate: "usage_update",
      used,
      size,
      ...(amount !== undefined && { cost: { amount, currency: "USD" } })
    })
    session.feed(usage(1e308, 100), usage(1, 2 ** 60), usage(2, most, -1e308), usage(most, 100, 0.25))
    assert.deepStrictEqual(
      session.of("usage.updated").map(({ cost, size, used }) => [used, size, cost?.amount]),
      [
        [2, most, undefined],
        [most, 100, 0.25]
      ]
    )
    assert.deepStrictEqual(
      session.of("protocol.unknown").map(({ kind, reason }) => [kind, reason]),
      [
        ["usage_update", "It counts more tokens than there can be."],
        ["usage_update", "It counts more tokens than there can be."],
        ["usage_update", "It has a cost that is too large to be one. The tokens were taken."]
      ]
    )
    assert.include(session.of("protocol.unknown")[0]?.raw, "1e+308")
  })

  it("[108] options take the place of those before: what one of them brought goes with it", () => {
    const session = started()
    const option = (id: string) => ({ id, name: id, type: "boolean", currentValue: true })
    const options = (...ids: ReadonlyArray<string>) => ({
      sessionUpdate: "config_option_update",
      configOptions: ids.map(option)
    })
    session.feed(options("model", "effort", "fast"))
    session.feed(options("fast", "model"))
    session.feed(options())
    assert.deepStrictEqual(
      session.of("settings.updated").map(({ settings }) => settings.map(({ id }) => id)),
      [["model", "effort", "fast"], ["fast", "model"], []]
    )
  })
})

describe("a notice", () => {
  it("[71] is shown where it comes, each time that it comes", () => {
    const session = started()
    const notice = { sessionUpdate: "notice", severity: "warning", title: "Slow today" }
    session.feed(notice, notice)
    assert.deepStrictEqual(
      session.of("runtime.warning").map(({ message, turnId }) => [message, turnId]),
      [
        ["Slow today", "t1"],
        ["Slow today", "t1"]
      ]
    )
  })
})

describe("an entry of another kind", () => {
  const entries: ReadonlyArray<readonly [string, object]> = [
    ["a call", call("a")],
    ["a compaction", { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" }],
    [
      "a piece of a compaction's summary",
      { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: { type: "text", text: "Short." } }
    ],
    ["a sub-agent", { sessionUpdate: "subagent_update", sessionId: "child", state: { state: "running" } }]
  ]
  for (const [name, entry] of entries)
    it(`ends the text before it, once: ${name}`, () => {
      const session = started()
      session.feed(text("before"), entry, text("after"), entry, text(" it"))
      const [before, ...after] = session.of("message.delta")
      assert.deepStrictEqual([before?.text, after.map(({ text }) => text).join("")], ["before", "after it"])
      assert.strictEqual(new Set(session.of("message.delta").map(({ itemId }) => itemId)).size, 2)
      assert.strictEqual(session.of("message.completed").length, 1)
    })

  it("ends the text before it: a file that the agent made or had written", () => {
    const session = started()
    session.feed(text("before"))
    session.step(() => FileProjection.written(session.state, { path: "/a", bytes: 1, created: true }))
    session.feed(text("after"))
    session.step(() => FileProjection.generated(session.state, { id: "f", path: "/b" }))
    assert.strictEqual(session.of("message.completed").length, 2)
  })
})

describe("a request", () => {
  const requestId = RequestId.make("r")
  const request = { type: "url", requestId, at: 1, message: "Open it", url: "https://e.g", elicitationId: "e" } as const

  it("that is withdrawn at the end of its turn leaves the text open that broke off with it", () => {
    const session = started()
    session.feed(text("before"))
    session.step(() => RequestProjection.tell(session.state, [{ type: "elicitation.requested", request }]))
    assert.strictEqual(session.of("message.completed").length, 1)
    session.feed(text("and th"))
    const outcome = { type: "cancelled" } as const
    session.step(() => {
      RequestProjection.tell(session.state, [{ type: "elicitation.resolved", requestId, outcome }])
      SessionProjection.endTurn(session.state, "cut")
    })
    assert.strictEqual(session.of("message.completed").length, 1)
  })
})

describe("a compaction", () => {
  const compaction = (status: string, more: object = {}) => ({
    sessionUpdate: "compaction_update",
    compactionId: "c",
    status,
    ...more
  })
  const piece = (text: string, compactionId = "c") => ({
    sessionUpdate: "compaction_summary_chunk",
    compactionId,
    content: { type: "text", text }
  })
  const told = (session: ReturnType<typeof started>) =>
    session
      .of("compaction.updated")
      .map(({ error, itemId, state, summary, turnId }) => [
        `${itemId} ${turnId}`,
        state,
        ...(summary === undefined ? [] : [summary]),
        ...(error === undefined ? [] : [error])
      ])

  it("[72] stands where it was first heard of, and is changed there, also by a later turn", () => {
    const session = started()
    session.feed(compaction("in_progress"))
    session.feed(piece("We "), piece("talked."))
    session.feed(compaction("completed"))
    session.end()
    session.begin("t2")
    session.feed(compaction("completed", { summary: null }))
    const place = "t1:compaction:c t1"
    assert.deepStrictEqual(told(session), [
      [place, "running"],
      [place, "completed", "We talked."],
      [place, "completed"]
    ])
    assert.isTrue(session.of("compaction.updated").at(-1)?.late)
  })

  it("[72] is begun by a piece of a summary; what is not known to end it does not", () => {
    const session = started()
    session.feed(piece("Words", "d"))
    session.feed({ ...compaction("paused"), compactionId: "d" })
    session.feed({ ...compaction("failed", { summary: [], error: "no room" }), compactionId: "d" })
    const place = "t1:compaction:d t1"
    assert.deepStrictEqual(told(session), [
      [place, "running", "Words"],
      [place, "running", "Words"],
      [place, "failed", "no room"]
    ])
  })

  it("[72] is shown to its last piece when the turn ends, and what runs is over when a turn was stopped", () => {
    const session = started()
    session.feed(piece("a"), piece("b"))
    session.end()
    session.begin("t2")
    session.feed({ ...compaction("in_progress"), compactionId: "e" })
    session.end("cancelled")
    const [first, second] = ["t1:compaction:c t1", "t2:compaction:e t2"]
    assert.deepStrictEqual(told(session), [
      [first, "running", "a"],
      [first, "running", "ab"],
      [second, "running"],
      [first, "cancelled", "ab"],
      [second, "cancelled"]
    ])
  })
})

describe("a sub-agent", () => {
  const announced = (sessionId: string, more: object = {}) => ({
    sessionUpdate: "subagent_update",
    sessionId,
    ...more
  })
  const told = (session: ReturnType<typeof started>) =>
    session.of("subagent.updated").map(({ activity, itemId, name, said, state, task }) => ({
      itemId,
      name,
      state,
      ...(task !== undefined && { task }),
      ...(activity !== undefined && { activity }),
      ...(said !== undefined && { said })
    }))

  it("[123] is one entry, where it was announced; what it does and says is shown there and nowhere else", () => {
    const session = started()
    session.feed(announced("child", { title: "Search", description: "Find it", state: { state: "running" } }))
    session.feedTo("child", text("I look. "), call("c", { title: "grep -r it" }))
    session.feedTo("child", change("c", { title: "grep -r it", status: "completed" }), text("Found "), text("it."))
    session.feed(announced("child", { state: { state: "requires_action" } }))
    session.end()
    session.begin("t2")
    session.feed(announced("child", { state: { state: "idle", stopReason: "end_turn" } }))
    const itemId = "t1:subagent:child"
    const facts = { itemId, name: "Search", task: "Find it" }
    assert.deepStrictEqual<ReadonlyArray<unknown>>(told(session), [
      { ...facts, state: "running" },
      { ...facts, state: "running", activity: "grep -r it" },
      { ...facts, state: "running", activity: "grep -r it" },
      { ...facts, state: "completed", said: "Found it." }
    ])
    assert.deepStrictEqual([...session.of("message.delta"), ...session.of("tool.started")], [])
    assert.deepStrictEqual(session.of("protocol.unknown"), [])
  })

  it("[123] is not over because its state is not said again, or is not known", () => {
    const session = started()
    session.feed(announced("child", { state: { state: "idle", stopReason: "cancelled" } }))
    session.feed(announced("child", { title: "Named late" }))
    session.feed(announced("child", { state: { state: "dreaming" } }))
    session.feed(announced("child", { state: null }))
    assert.deepStrictEqual(
      told(session).map(({ name, state }) => `${name} ${state}`),
      ["child cancelled", "Named late cancelled", "Named late running", "Named late running"]
    )
  })

  it("[123] of a sub-agent is one too; a session that nobody announced is reported as unknown", () => {
    const session = started()
    session.feed(announced("child"))
    session.feedTo("child", announced("grandchild", { title: "Deeper" }))
    session.feedTo("grandchild", call("c", { title: "ls" }))
    session.feedTo("stranger", text("Hello"))
    assert.deepInclude(told(session).at(-1), { name: "Deeper", activity: "ls" })
    assert.deepStrictEqual(
      session.of("protocol.unknown").map(({ reason }) => reason),
      ["It is for session stranger."]
    )
  })

  it("is read from Cursor's updates, too; what is wrong in them is left out or reported as unknown", () => {
    const session = started()
    const spawned = (subagentSessionId: unknown, more: object = {}) => ({
      sessionUpdate: "subagent_spawned",
      subagentSessionId,
      ...more
    })
    const state = (subagentSessionId: string, state: unknown) => ({
      sessionUpdate: "subagent_state_update",
      subagentSessionId,
      state
    })
    session.feed(spawned("child", { name: "explore", task: "Look around", capabilities: {}, _meta: { cursor: 7 } }))
    session.feedTo("child", spawned("grandchild", { name: 12, task: null }))
    session.feedTo("grandchild", state("grandchild", "completed"))
    session.feedTo("child", state("grandchild", "disconnected"))
    session.feed(state("child", "paused"))
    session.feed(state("child", { no: "text" }))
    session.feed(state("child", "cancelled"))
    assert.deepStrictEqual(
      session.of("subagent.updated").map(({ name, parent, state }) => [name, state, parent?.depth]),
      [
        ["explore", "running", undefined],
        ["grandchild", "running", 0],
        ["grandchild", "failed", 0],
        ["explore", "running", undefined],
        ["explore", "running", undefined],
        ["explore", "cancelled", undefined]
      ]
    )
    session.feed(spawned(7))
    assert.deepStrictEqual(
      session.of("protocol.unknown").map(({ kind }) => kind),
      ["subagent_spawned"]
    )
  })

  it("of which there are thousands costs no more than it is worth", () => {
    const session = started()
    const spawn = (parent: string, subagentSessionId: string) =>
      session.feedTo(parent, { sessionUpdate: "subagent_spawned", subagentSessionId })
    for (let index = 0; index < 1000; index += 1) spawn(index === 0 ? "s" : `deep-${index - 1}`, `deep-${index}`)
    assert.strictEqual(told(session).length, 64)
    for (let index = 0; index < 5000; index += 1) spawn("s", `wide-${index}`)
    assert.strictEqual(told(session).length, 4096)
  })

  it("[123] is given its task, and answers, by messages between sessions", () => {
    const session = started()
    const block = (text: string) => ({ type: "text", text })
    session.feed(announced("child", { title: "Search" }))
    session.feed({
      sessionUpdate: "session_message",
      messageId: "m1",
      senderSessionId: "s",
      recipientSessionId: "child",
      content: [block("Find ")]
    })
    session.feed({ sessionUpdate: "session_message_chunk", messageId: "m1", content: block("it") })
    session.feed({
      sessionUpdate: "session_message",
      messageId: "m2",
      senderSessionId: "child",
      content: [block("Here")]
    })
    session.feed(announced("child", { state: { state: "idle", stopReason: "end_turn" } }))
    assert.deepInclude(told(session).at(-1), { task: "Find it", said: "Here", state: "completed" })
  })

  it("[123] is given a task that comes in many pieces: shown whole, and not anew with each of them", () => {
    const session = started()
    session.feed(announced("child", { title: "Search" }))
    const message = { sessionUpdate: "session_message", messageId: "m1", recipientSessionId: "child" }
    session.feed({ ...message, content: [{ type: "text", text: "Find " }] })
    const piece = { sessionUpdate: "session_message_chunk", messageId: "m1" }
    for (let pieces = 0; pieces < 1000; pieces++)
      session.feed({ ...piece, content: { type: "text", text: "it, and ".repeat(10) } })
    const whole = `Find ${"it, and ".repeat(10_000)}`
    const tasks = () => told(session).map(({ task = "" }) => task)
    assert.isBelow(tasks().join("").length, 4 * whole.length)
    session.end()
    assert.strictEqual(tasks().at(-1), whole)
    const before = tasks().length
    session.end()
    assert.lengthOf(tasks(), before)
  })
})
