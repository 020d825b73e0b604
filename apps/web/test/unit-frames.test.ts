import { assert, describe, it } from "@effect/vitest"
import { BootId, Cursor, ItemId, Sequence, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { withFrames, withKnown } from "@signalbox/client/ThreadFrames"
import { completed, created, dispatched, logged, piece, queued, ran, said, thread } from "./fixtures/thread.ts"

const events = [created, queued(1), dispatched(2), said(3, "Hel"), piece(4, 3, "lo"), completed(5)]
const all = logged(events)
const whole = thread(...events.slice(1))

const frame = (...events: ReadonlyArray<LoggedEvent>): ThreadFrame => ({ type: "events", events })
const snapshotOf = (view: ThreadView): ThreadFrame => ({ type: "snapshot", bootId: BootId.make("boot"), view })
const at = (sequence: number, event: ThreadEvent): LoggedEvent => ({ sequence: Sequence.make(sequence), event })
const none = { missing: undefined }

describe("what the server sends about a thread", () => {
  it("amounts to the same in one frame and in many", () => {
    const many = all.map((event) => frame(event))
    assert.deepStrictEqual(withFrames(undefined, [frame(...all)]), { view: whole, ...none })
    assert.deepStrictEqual(withFrames(undefined, many), { view: whole, ...none })
  })

  it("goes on from a snapshot, which replaces what was known", () => {
    const snapshot = snapshotOf(thread(...events.slice(1, 3)))
    const known = thread(queued(1, "something else"))
    assert.deepStrictEqual(withFrames(known, [snapshot, frame(...all.slice(3))]), { view: whole, ...none })
  })

  it("is taken once when it comes twice", () => {
    assert.deepStrictEqual(withFrames(whole, [frame(...all)]), { view: whole, ...none })
    const half = thread(...events.slice(1, 4))
    assert.deepStrictEqual(withFrames(half, [frame(...all.slice(2))]), { view: whole, ...none })
  })

  it("leaves a state as it is, the object too, when nothing is new", () => {
    assert.strictEqual(withFrames(whole, []).view, whole)
  })
})

describe("a gap", () => {
  const known = thread(queued(1), dispatched(2), said(3, "Hel"))
  const text = (view: ThreadView | undefined) => view?.items.map((item) => ("text" in item ? item.text : "")).join("")

  it("is one place that did not come; what came is shown all the same", () => {
    const { missing, view } = withFrames(thread(queued(1)), [frame(...all.slice(4))])
    assert.strictEqual(missing, 3)
    assert.strictEqual(view?.sequence, 6)
  })

  it("is none where one piece of text stands for several", () => {
    const taken = withFrames(known, [frame(at(9, piece(4, 3, "lo, world")))])
    assert.deepStrictEqual([taken.missing, text(taken.view)], [undefined, "Hello, world"])
  })

  it("is none where joined text begins with what is known already", () => {
    const taken = withFrames(known, [frame(at(9, said(4, "Hello, world")))])
    assert.deepStrictEqual([taken.missing, text(taken.view)], [undefined, "Hello, world"])
  })

  it("is one where a text begins behind the end of what is known, whatever its place says", () => {
    assert.strictEqual(withFrames(known, [frame(at(5, piece(4, 4, "o")))]).missing, 5)
    assert.strictEqual(withFrames(known, [frame(at(5, piece(4, 3, "l")), at(6, piece(5, 5, "!")))]).missing, 6)
  })

  it("is one where a text ends longer than it came", () => {
    const ended = (length: number) => ({ ...piece(5, 0, ""), type: "message.completed" as const, length })
    assert.isUndefined(withFrames(known, [frame(at(5, ended(3)))]).missing)
    assert.strictEqual(withFrames(known, [frame(at(5, ended(4)))]).missing, 5)
  })

  it("is none if a call is sent whole", () => {
    assert.isUndefined(withFrames(known, [frame(at(12, ran(4, "pnpm test")))]).missing)
  })

  it("is one in front of anything else", () => {
    assert.strictEqual(withFrames(known, [frame(at(12, completed(4)))]).missing, 5)
  })

  it("is none where text goes on that stands before the window", () => {
    const window = { ...known, earlier: Cursor.make("c") }
    const late = { ...piece(4, 40, "more"), turnId: TurnId.make("long ago"), late: true as const }
    assert.isUndefined(withFrames(window, [frame(at(5, { ...late, itemId: ItemId.make("old") }))]).missing)
    const reachingIn = { ...piece(4, 40, "more"), itemId: ItemId.make("old") }
    assert.isUndefined(withFrames(window, [frame(at(5, reachingIn))]).missing)
    assert.strictEqual(withFrames(known, [frame(at(5, { ...late, itemId: ItemId.make("old") }))]).missing, 5)
  })

  it("is all of it where nothing is known and the beginning did not come", () => {
    assert.deepStrictEqual(withFrames(undefined, [frame(...all.slice(1))]), { view: undefined, missing: 1 })
  })
})

describe("a snapshot after earlier pages were read", () => {
  const cursor = Cursor.make("before the second")
  const item = (id: string, rest: object = { endedAt: 1 }) =>
    ({ type: "message", itemId: ItemId.make(id), at: 1, text: id, content: [], ...rest }) as const
  const snapshot = { ...whole, earlier: cursor, items: [item("two"), item("three"), item("four")] }
  const ids = ({ items }: ThreadView) => items.map(({ itemId }) => String(itemId))

  it("keeps them in front, where the two meet", () => {
    const before = { ...whole, earlier: Cursor.make("before the first"), items: [item("one"), item("two")] }
    const joined = withKnown(snapshot, before)
    assert.deepStrictEqual(ids(joined), ["one", "two", "three", "four"])
    assert.strictEqual(joined.earlier, before.earlier)
  })

  it("drops them where the two don't meet, or where one of them was still going on", () => {
    const apart = { ...whole, items: [item("one")] }
    assert.strictEqual(withKnown(snapshot, apart), snapshot)
    const open = { ...whole, items: [item("one", {}), item("two")] }
    assert.strictEqual(withKnown(snapshot, open), snapshot)
  })

  it("drops them where a sub-agent or a compaction was still running", () => {
    const common = { itemId: ItemId.make("one"), at: 1 }
    const compaction = (state: "running" | "completed") => ({
      ...whole,
      items: [{ type: "compaction" as const, ...common, state }, item("two")]
    })
    const subagent = { type: "subagent" as const, ...common, name: "search", state: "running" as const }
    assert.strictEqual(withKnown(snapshot, compaction("running")), snapshot)
    assert.strictEqual(withKnown(snapshot, { ...whole, items: [subagent, item("two")] }), snapshot)
    assert.deepStrictEqual(ids(withKnown(snapshot, compaction("completed"))), ["one", "two", "three", "four"])
  })

  it("is the same as reading the pages again", () => {
    const page = { items: [item("one")], turns: [] }
    assert.deepStrictEqual(
      withKnown(snapshot, ThreadProjection.withEarlier(snapshot, page)),
      ThreadProjection.withEarlier(snapshot, page)
    )
  })
})
