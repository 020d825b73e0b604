import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { withFrame } from "@signalbox/client/ListFrames"
import { groupByFolder, rowState, waiting } from "../src/threads/rows.ts"
import { at, row } from "./fixtures/thread.ts"

const now = at(100)
const shown = { unread: false, live: true, now }

describe("a thread with a draft", () => {
  it("says so in the place of the time, and behind what goes on", () => {
    assert.deepStrictEqual(rowState(row("1", { draft: true, status: "completed" }), shown), { word: "draft" })
    const waits = row("1", { draft: true, status: "waiting", waitingFor: "approval" })
    assert.deepStrictEqual(rowState(waits, shown), { lamp: "waiting", word: "approve, draft" })
  })
})

describe("the thread list", () => {
  it("takes changed rows in, new ones too, and leaves out what is deleted", () => {
    const ids = (rows: ReadonlyArray<ThreadSummary>) => rows.map(({ threadId, title }) => `${threadId} ${title}`)
    const rows = [row("1", { title: "a" }), row("2", { title: "b" })]
    const changed = { type: "changed", threads: [row("2", { title: "c" }), row("3", { title: "d" })] } as const
    assert.deepStrictEqual(ids(withFrame(rows, changed)), ["1 a", "2 c", "3 d"])
    const removed = { type: "changed", threads: [], removed: [ThreadId.make("1")] } as const
    assert.deepStrictEqual(ids(withFrame(rows, removed)), ["2 b"])
    assert.deepStrictEqual(ids(withFrame(rows, { type: "snapshot", threads: [] })), [])
  })

  it("orders by creation, whatever is active", () => {
    const folders = groupByFolder([
      row("old", { cwd: "/a/ledger", createdAt: 1, updatedAt: 99 }),
      row("other", { cwd: "/a/atlas", createdAt: 2 }),
      row("new", { cwd: "/a/ledger", createdAt: 3 })
    ])
    assert.deepStrictEqual(
      folders.map(({ name, threads }) => [name, threads.map(({ threadId }) => threadId)]),
      [
        ["atlas", ["other"]],
        ["ledger", ["new", "old"]]
      ]
    )
  })

  it("keeps a folder in its place when a thread is added to it", () => {
    const before = [row("1", { cwd: "/a", createdAt: 1 }), row("2", { cwd: "/b", createdAt: 2 })]
    const names = (rows: typeof before) => groupByFolder(rows).map(({ name }) => name)
    assert.deepStrictEqual(names(before), names([...before, row("3", { cwd: "/a", createdAt: 3 })]))
  })

  it("tells folders of one name apart", () => {
    const names = groupByFolder([row("1", { cwd: "/ada/app" }), row("2", { cwd: "/bob/app" }), row("3", { cwd: "/" })])
    assert.deepStrictEqual(names.map(({ name }) => name).sort(), ["/", "ada/app", "bob/app"])
  })

  it("shows what hides in the name of a folder", () => {
    const [folder] = groupByFolder([row("1", { cwd: "/ada/\u202eapp\u200b" })])
    assert.strictEqual(folder?.name, "<U+202E>app<U+200B>")
  })

  it("finds what waits for a person", () => {
    assert.lengthOf(waiting([row("1", { waitingFor: "plan" }), row("2", { status: "working" })]), 1)
  })
})

describe("the end of a row", () => {
  it("says what is going on, and for how long", () => {
    assert.deepStrictEqual(rowState(row("1", { status: "working", turnStartedAt: at(-34) }), shown), {
      lamp: "working",
      word: "working 2:14"
    })
  })

  it("says nothing in the present without a connection", () => {
    const lost = { ...shown, live: false }
    assert.strictEqual(rowState(row("1", { status: "working" }), lost).word, "was working")
    assert.strictEqual(rowState(row("1", { status: "cancelling" }), lost).word, "was stopping")
  })

  it("names what is asked rather than that something is", () => {
    assert.strictEqual(rowState(row("1", { status: "waiting", waitingFor: "approval" }), shown).word, "approve")
  })

  it("distinguishes what is held from what only waits its turn", () => {
    assert.strictEqual(rowState(row("1", { status: "queued" }), shown).word, "queued")
    assert.strictEqual(rowState(row("1", { status: "queued", held: true }), shown).word, "held")
    assert.strictEqual(rowState(row("1", { status: "completed", held: true }), shown).word, "held")
  })

  it("says how the turn ended that holds the queue", () => {
    assert.deepStrictEqual(rowState(row("1", { status: "lost", held: true }), shown), {
      lamp: "lost",
      word: "lost, held"
    })
  })

  it("is dark after a turn that was seen, blue after one that wasn't", () => {
    const done = row("1", { status: "completed", updatedAt: at(0) })
    assert.deepStrictEqual(rowState(done, shown), { word: "14:02" })
    assert.deepStrictEqual(rowState(done, { ...shown, unread: true }), { lamp: "unread", word: "unread" })
  })

  it("keeps the word of a failure that nobody has seen", () => {
    assert.strictEqual(rowState(row("1", { status: "failed" }), { ...shown, unread: true }).word, "failed")
  })
})
