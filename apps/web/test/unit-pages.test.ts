/** Pages from before a thread's window: joined with it where they meet, and alone where they don't. */
import { assert, describe, it } from "@effect/vitest"
import { Cursor } from "@signalbox/contracts/Ids"
import type { ThreadPage, ThreadView } from "@signalbox/contracts/ThreadView"
import { withPages } from "../src/connection/shownPages.ts"
import { entriesOf } from "../src/transcript/entries.ts"
import { endOf, startOf } from "../src/transcript/drawn.ts"
import { completed, dispatched, queued, said, thread } from "./fixtures/thread.ts"

const whole = thread(queued(1), dispatched(2), said(3, "All of it"), completed(4))
const [prompt, ...rest] = whole.items
const window: ThreadView = { ...whole, items: rest, earlier: Cursor.make("b"), earlierCount: 1 }
const page: ThreadPage = { turns: whole.turns, items: prompt ? [prompt] : [] }

describe("pages from before the window", () => {
  it("are one transcript with it where they reach it", () => {
    const { apart, view } = withPages(window, { placed: [{ page, end: Cursor.make("b") }], jumps: 0 })
    assert.isFalse(apart)
    assert.deepStrictEqual(view, whole)
  })

  it("are shown alone where they do not, and no turn seems to end there", () => {
    const { apart, view } = withPages(window, { placed: [{ page, end: Cursor.make("a") }], jumps: 1 })
    assert.isTrue(apart)
    assert.deepStrictEqual(view.items, page.items)
    assert.isUndefined(view.earlier)
    assert.deepStrictEqual(
      entriesOf(view, false, true).map(({ type }) => type),
      ["turn", "item"]
    )
  })

  it("change nothing where there are none, or where the window holds all", () => {
    assert.strictEqual(withPages(window, { placed: [], jumps: 0 }).view, window)
    assert.strictEqual(withPages(whole, { placed: [{ page, end: Cursor.make("b") }], jumps: 0 }).view, whole)
  })
})

describe("the stretch of a transcript that is drawn", () => {
  const entries = entriesOf(whole)
  const long = Array.from({ length: 500 }, (_, index) => {
    const [entry] = entriesOf(thread(queued(1), dispatched(2), said(3, "x".repeat(50_000)))).slice(-1)
    return { ...entry!, key: `${index}` }
  })

  it("is bounded by number and by text, and holds one entry at least", () => {
    assert.strictEqual(startOf(entries, entries.length, { entries: 2, text: 1000 }), entries.length - 2)
    assert.strictEqual(startOf(long, 500, { entries: 150, text: 150_000 }), 497)
    assert.strictEqual(endOf(long, 10, { entries: 450, text: 400_000 }), 18)
    assert.strictEqual(startOf(long, 500, { entries: 150, text: 1 }), 499)
    assert.strictEqual(endOf(long, 10, { entries: 450, text: 1 }), 11)
    assert.strictEqual(startOf([], 0, { entries: 5, text: 1 }), 0)
  })
})
