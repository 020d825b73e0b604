/** What updates of the agent leave standing of what was said before them. */
import { assert, describe, it } from "@effect/vitest"
import { call, change, projection } from "./support/ProjectionHarness.ts"

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
  it("[71] is told where it comes, each time that it comes", () => {
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

  it("[72] is told to its last piece when the turn ends, and what runs is over when a turn was stopped", () => {
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
