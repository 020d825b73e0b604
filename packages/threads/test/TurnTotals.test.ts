/** What a turn amounts to, whoever looks and however little of it is at hand. */
import { assert, describe, it } from "@effect/vitest"
import { Cursor } from "@signalbox/contracts/Ids"
import { lineChanges } from "@signalbox/contracts/LineChanges"
import * as ThreadProjection from "../src/ThreadProjection.ts"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as TurnCount from "../src/TurnCount.ts"
import * as TurnTotals from "@signalbox/contracts/TurnTotals"
import { item, running, tool, turn } from "./support/Log.ts"

const one = turn("one")
const edit = (oldText: string | null, newText: string, more: Partial<ToolCall> = {}): ToolCall => ({
  ...tool("e", "completed"),
  kind: "edit",
  diffs: [{ path: "/a.ts", oldText, newText }],
  ...more
})
const totalsOf = (...tools: ReadonlyArray<ToolCall>) =>
  tools
    .map((call, index): ItemView => ({ type: "tool", itemId: item(`t${index}`), turnId: one, at: 1, tool: call }))
    .reduce((totals, entry) => TurnCount.after(totals, undefined, entry), TurnTotals.none)

describe("the totals of a turn", () => {
  it("count edits with their lines, and what failed or was rejected as nothing but that", () => {
    const change = { oldText: "a\nb\nc\n", newText: "a\nB\nc\nd\n" }
    const totals = totalsOf(
      edit(change.oldText, change.newText),
      edit(null, "x\ny\n"),
      edit(change.oldText, change.newText, { status: "rejected" }),
      edit(change.oldText, change.newText, { status: "failed" }),
      edit(change.oldText, change.newText, { status: "cancelled" }),
      edit(change.oldText, change.newText, { status: "unfinished" }),
      edit(change.oldText, change.newText, { result: { error: "no room" } }),
      edit("same", "same"),
      { ...tool("c", "completed"), kind: "execute", result: { exitCode: 1 } }
    )
    assert.deepInclude(totals, { entries: 9, tools: 9, edits: 2, added: 4, removed: 1, failed: 3, rejected: 1 })
    assert.deepStrictEqual(totals.kinds, { edit: 8, execute: 1 })
  })

  it("compare the changes of one call no further than those of one file may be", () => {
    const text = (letter: string) => Array.from({ length: 500 }, (_, line) => `${letter}${line}\n`).join("")
    const change = (path: string) => ({ path, oldText: text("a"), newText: text("b") })
    const diffs = Array.from({ length: 100 }, (_, index) => change(`/${index}`))
    const made = { path: "/new", oldText: null, newText: text("b") }
    assert.deepInclude(totalsOf(edit("", "", { diffs: diffs.slice(0, 40) })), { added: 20_000, unmeasured: 0 })
    // A new file has nothing to be compared with.
    const many = totalsOf(edit("", "", { diffs: [...diffs, made] }))
    assert.deepInclude(many, { edits: 1, added: 20_500, removed: 20_000, unmeasured: 1 })
  })

  it("leave out calls that only write the plan down, or propose one, unless they failed", () => {
    const named = (name: string): ToolCall => ({
      ...tool("p", "completed"),
      kind: "other",
      subject: { type: "none" },
      rawInput: `{"_toolName":"${name}"}`
    })
    const [todos, proposal] = [named("updateTodos"), named("createPlan")]
    assert.deepInclude(totalsOf(todos, proposal, named("generateImage")), { entries: 3, tools: 1, kinds: { other: 1 } })
    const failed: ToolCall = { ...todos, status: "failed" }
    assert.deepInclude(totalsOf(failed), { tools: 1, kinds: { other: 1 }, failed: 1 })
    const begun = totalsOf({ ...todos, status: "in_progress" })
    assert.deepInclude(begun, { tools: 0, kinds: {} })
    assert.strictEqual(TurnCount.afterUnseen(begun, todos), begun)
    assert.deepInclude(TurnCount.afterUnseen(begun, failed), { tools: 1, kinds: { other: 1 }, failed: 1 })
  })

  it("follow a call as it changes, to a kind and an end of its own", () => {
    const { view } = running("one").done(
      { type: "tool.started", turnId: one, itemId: item("a"), tool: { ...tool("a", "in_progress"), kind: "other" } },
      { type: "tool.updated", turnId: one, itemId: item("a"), tool: edit("a\n", "b\n") },
      { type: "tool.completed", turnId: one, itemId: item("a"), tool: edit("a\n", "b\nc\n") }
    )
    // The prompt is an entry, too.
    assert.deepInclude(view.turns[0]?.totals, { entries: 2, tools: 1, edits: 1, added: 2, removed: 1 })
    assert.deepStrictEqual(view.turns[0]?.totals?.kinds, { edit: 1 })
  })

  it("are the same in a window that lacks the beginning of a call", () => {
    const log = running("one").done({
      type: "tool.started",
      turnId: one,
      itemId: item("a"),
      tool: { ...tool("a", "in_progress"), kind: "edit" }
    })
    const known = { ...log.view, items: [], earlier: Cursor.make("MQ") }
    const end = { type: "tool.completed" as const, turnId: one, itemId: item("a"), tool: edit("a\n", "b\n") }
    const whole = log.done(end).view
    const windowed = ThreadProjection.apply(known, log.events.slice(-1))
    assert.deepStrictEqual(windowed.turns[0]?.totals, whole.turns[0]?.totals)
    assert.deepStrictEqual(windowed.items, [])
  })
})

describe("a change of which only the beginning is at hand", () => {
  it("counts with the lines that are sent with it, and as unmeasured if none are", () => {
    const long = [{ part: "diff:0:new", length: 50_000, chunks: ["x"] }]
    const [begun] = edit("same", "same").diffs
    assert.deepInclude(totalsOf(edit("same", "same", { long })), { edits: 1, added: 0, removed: 0, unmeasured: 1 })
    const told = { diffs: [{ ...begun!, lines: { added: 7, removed: 2 } }], long }
    assert.deepInclude(totalsOf(edit("", "", told)), { edits: 1, added: 7, removed: 2, unmeasured: 0 })
  })
})

describe("changed lines", () => {
  const lines = (oldText: string | null, newText: string) => lineChanges({ path: "a", oldText, newText })

  it.each([
    [null, "a\nb", { added: 2, removed: 0 }],
    ["a\nb\n", "", { added: 0, removed: 2 }],
    ["a", "a\n", { added: 0, removed: 0 }],
    ["a\r\nb\r\n", "a\r\nc\r\n", { added: 1, removed: 1 }],
    ["a\n", "a\r\n", { added: 1, removed: 1 }],
    ["", "", { added: 0, removed: 0 }]
  ])("of %j and %j are counted", (oldText, newText, expected) => {
    assert.deepStrictEqual(lines(oldText, newText), expected)
  })

  it("count as all where too many differ, and not at all where the texts are too large", () => {
    const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `${from + n}\n`).join("")
    assert.deepStrictEqual(lines(numbered(0, 2000), numbered(5000, 7000)), { added: 2000, removed: 2000 })
    assert.isUndefined(lines("x\n".repeat(30_000), "y\n".repeat(30_000)))
    assert.isUndefined(lines("x".repeat(300_000), "y".repeat(300_000)))
  })
})
