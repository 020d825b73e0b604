/** A whole thread as lines of JSON, from a real database. */
import { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { isDeepStrictEqual } from "node:util"
import { extract } from "../../src/orchestration/OutputExtraction.ts"
import { exportThread } from "../../src/orchestration/ThreadExport.ts"
import * as Sqlite from "../../src/storage/Sqlite.ts"
import * as SqliteThreadStore from "../../src/storage/SqliteThreadStore.ts"
import { type Chunk, ThreadStore } from "../../src/storage/ThreadStore.ts"
import * as ThreadEvents from "../support/ThreadEvents.ts"
import { databaseFile } from "../support/ThreadsHarness.ts"
import { type Line, linesIn } from "../support/WholeThread.ts"

const { created, logged, threadId, told, toolCall, warning } = ThreadEvents

const openStore = Effect.gen(function* () {
  const file = yield* databaseFile
  return Context.get(
    yield* Layer.build(SqliteThreadStore.layer.pipe(Layer.provideMerge(Sqlite.layer(file)))),
    ThreadStore
  )
})

const queued = (name: string): ThreadEvent => ({
  type: "turn.queued",
  threadId,
  at: 1,
  turnId: TurnId.make(name),
  prompt: [{ type: "text", text: `do ${name}` }]
})
const dispatched = (name: string): ThreadEvent => ({
  type: "turn.dispatched",
  threadId,
  at: 1,
  turnId: TurnId.make(name)
})
const failed = (name: string): ThreadEvent => ({
  type: "turn.failed",
  threadId,
  at: 1,
  turnId: TurnId.make(name),
  problem: { code: "internal", title: "It failed.", cause: "For the test.", evidence: {}, nextSteps: [] }
})

/** A thread that did all this, committed and folded; and its state. */
const kept = Effect.fnUntraced(function* (
  store: ThreadStore["Service"],
  events: ReadonlyArray<ThreadEvent>,
  chunks: ReadonlyArray<Chunk> = [],
  /** The place of the entry at this index. */
  place: (index: number) => number = (index) => index + 1
) {
  const log = logged(0, [created, ...events])
  const view = ThreadProjection.apply(undefined, log)
  const { items, ...head } = view
  yield* store.commit([{ threadId, events: log, head, chunks }])
  yield* store.fold({
    threadId,
    head,
    items: items.map((item, index) => ({ position: place(index), item })),
    turns: head.turns.map((turn, index) => {
      const first = items.findIndex(({ turnId }) => turnId === turn.turnId)
      return { position: index + 1, turn, ...(first !== -1 && { firstItem: place(first) }) }
    }),
    withdrawn: []
  })
  return view
})

const exported = (store: ThreadStore["Service"]) => Effect.map(Stream.mkString(exportThread(store, threadId)), linesIn)

/** What a view is as lines: each turn before its first entry, and at the end those that have none. */
const linesOf = ({ items, turns, ...thread }: ThreadView): ReadonlyArray<Line> => {
  const left = new Map(turns.map((turn) => [turn.turnId, turn]))
  const lines = items.flatMap((item): Array<Line> => {
    const turn = item.turnId === undefined ? undefined : left.get(item.turnId)
    if (turn) left.delete(turn.turnId)
    return turn ? [{ turn }, { item }] : [{ item }]
  })
  return [{ thread }, ...lines, ...[...left.values()].map((turn) => ({ turn }))]
}

describe("an exported thread", () => {
  it.live("is all of it, in order: what it is, then each turn before its entries, then turns that wait", () =>
    Effect.gen(function* () {
      const store = yield* openStore
      let warnings = 0
      const some = (count: number) => Array.from({ length: count }, () => warning(`${++warnings}`))
      const view = yield* kept(store, [
        ...some(3),
        queued("one"),
        dispatched("one"),
        ...some(205),
        queued("two"),
        failed("one"),
        dispatched("two"),
        ...some(93),
        queued("three"),
        queued("four")
      ])
      assert.strictEqual(view.items.length, 304)
      const lines = yield* exported(store)
      assert.deepStrictEqual(lines, linesOf(view))
      assert.isFalse("turns" in lines[0]!)
    })
  )

  it.live("holds each entry once, also where places were left empty", () =>
    Effect.gen(function* () {
      const store = yield* openStore
      const events = Array.from({ length: 350 }, (_, n) => warning(`${n}`))
      const view = yield* kept(store, events, [], (index) => index + 1 + Math.floor(index / 60))
      assert.deepStrictEqual(yield* exported(store), linesOf(view))
    })
  )

  it.live("that nothing was said in is one line", () =>
    Effect.gen(function* () {
      const store = yield* openStore
      const view = yield* kept(store, [])
      assert.deepStrictEqual(yield* exported(store), linesOf(view))
    })
  )

  it.live("holds long texts in full", () =>
    Effect.gen(function* () {
      const store = yield* openStore
      const whole = toolCall({
        status: "completed",
        result: { stdout: "line\n".repeat(20_000), exitCode: 0 },
        rawOutput: JSON.stringify({ stdout: "line\n".repeat(20_000) }),
        diffs: [{ path: "/a", oldText: null, newText: "\u{1f600}".repeat(30_000) }]
      })
      const { chunks, events } = extract([told("tool.completed", whole)], () => undefined)
      const view = yield* kept(store, events, chunks)
      const inFull = view.items.map((item): ItemView => (item.type === "tool" ? { ...item, tool: whole } : item))
      const lines = yield* exported(store)
      assert.isTrue(isDeepStrictEqual(lines, linesOf({ ...view, items: inFull })))
    })
  )

  it.live("that is removed meanwhile is not half a record but an error; so is one that is not there", () =>
    Effect.gen(function* () {
      const store = yield* openStore
      yield* kept(
        store,
        Array.from({ length: 300 }, (_, n) => warning(`${n}`))
      )
      let lines = 0
      const error = yield* exportThread(store, threadId).pipe(
        Stream.runForEach(() => (++lines === 50 ? store.remove(threadId) : Effect.void)),
        Effect.flip
      )
      assert.strictEqual(error._tag, "ThreadNotFound")
      assert.isBelow(lines, 300)
      assert.strictEqual((yield* Effect.flip(exported(store)))._tag, "ThreadNotFound")
    })
  )
})
