/** The long texts of tool calls: each piece is kept once, as long as somebody holds it. */
import { ItemId, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Chunk } from "../../src/storage/ThreadStore.ts"
import * as Databases from "../support/Databases.ts"
import { created, threadId, told, toolCall } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const other = ThreadId.make("other")

/** The whole of what a call put out, as names of pieces. */
const call = (toolCallId: string, ...chunks: ReadonlyArray<string>): ThreadEvent =>
  told("tool.updated", toolCall({ toolCallId, long: [{ part: "stdout", length: 1, chunks }] }))
const chunk = (toolCallId: string, name: string): Chunk => ({
  itemId: ItemId.make(`turn:${toolCallId}`),
  name,
  text: `text of ${name}`
})
const kept = (file: string) => Databases.query(file, "SELECT hash FROM outputs ORDER BY hash").map(({ hash }) => hash)

describe("a piece of a long text", () => {
  it.effect("is there as soon as the step is, for the thread that holds it", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, call("a", "one")], { chunks: [chunk("a", "one")] })])
      assert.strictEqual(yield* store.chunk(threadId, "one"), "text of one")
      assert.isUndefined(yield* store.chunk(threadId, "two"))
      assert.isUndefined(yield* store.chunk(other, "one"))
    })
  )

  it.effect("is kept once, however many calls of however many threads hold it", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      for (const id of [threadId, other]) {
        const record = new ThreadRecord(id)
        const chunks = [chunk("a", "one"), chunk("b", "one"), chunk("a", "one")]
        const events = [{ ...created, threadId: id }, call("a", "one"), call("b", "one")]
        yield* store.commit([record.step(events, { chunks })])
        yield* store.fold(record.fold())
      }
      assert.deepStrictEqual(kept(file), ["one"])
      assert.strictEqual(yield* store.chunk(other, "one"), "text of one")
    })
  )

  it.effect("is dropped with the fold after which no call holds it", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      const chunks = [chunk("a", "one"), chunk("a", "two"), chunk("b", "two")]
      yield* store.commit([record.step([created, call("a", "one", "two"), call("b", "two")], { chunks })])
      yield* store.fold(record.fold())
      yield* store.commit([record.step([call("a", "three")], { chunks: [chunk("a", "three")] })])
      assert.deepStrictEqual(kept(file), ["one", "three", "two"])
      yield* store.fold(record.fold())
      assert.deepStrictEqual(kept(file), ["three", "two"])
      yield* store.commit([record.step([told("tool.completed", toolCall({ toolCallId: "b" }))])])
      yield* store.fold(record.fold())
      assert.deepStrictEqual(kept(file), ["three"])
      assert.deepStrictEqual(viewOf((yield* store.load(threadId, everything))!), record.view)
    })
  )

  it.effect("is dropped with its thread, unless another thread holds it", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      for (const id of [threadId, other]) {
        const chunks = [chunk("a", "shared"), chunk("a", `of ${id}`)]
        const events = [{ ...created, threadId: id }, call("a", "shared", `of ${id}`)]
        yield* store.commit([new ThreadRecord(id).step(events, { chunks })])
      }
      yield* store.remove(threadId)
      assert.deepStrictEqual(kept(file), ["of other", "shared"])
      yield* store.remove(other)
      assert.deepStrictEqual(kept(file), [])
    })
  )
})
