/** A disk that is full, a lock, a file that can only be read: said in words, nothing half done, and over when it is over. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { DatabaseSync } from "node:sqlite"
import { StorageError } from "../../src/storage/StorageError.ts"
import * as Databases from "../support/Databases.ts"
import { created, threadId, warnings } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const events = (count: number) => warnings(0, count, "x".repeat(4000)).map(({ event }) => event)

/** Refuses writes in one way, until it is mended. */
interface Hindrance {
  readonly reason: StorageError["reason"]
  readonly begin: (opened: Databases.Opened) => Effect.Effect<Effect.Effect<unknown, unknown>, unknown>
}

const hindrances: ReadonlyArray<readonly [string, Hindrance]> = [
  [
    "a full disk",
    {
      reason: "full",
      begin: ({ sql }) =>
        Effect.gen(function* () {
          const [row] = yield* sql<{ readonly page_count: number }>`PRAGMA page_count`
          yield* sql.unsafe(`PRAGMA max_page_count = ${row?.page_count}`)
          return sql`PRAGMA max_page_count = 4294967294`
        })
    }
  ],
  [
    "a file that can only be read",
    {
      reason: "read-only",
      begin: ({ sql }) => Effect.as(sql`PRAGMA query_only = ON`, sql`PRAGMA query_only = OFF`)
    }
  ],
  [
    "another program's lock",
    {
      reason: "locked",
      begin: ({ file }) =>
        Effect.sync(() => {
          const holder = new DatabaseSync(file)
          holder.exec("BEGIN IMMEDIATE")
          return Effect.sync(() => holder.close())
        })
    }
  ]
]

describe("while nothing can be kept", () => {
  it.effect.each(hindrances)(
    "because of %s, a step is refused as a whole, and taken afterwards",
    ([, { begin, reason }]) =>
      Effect.gen(function* () {
        const opened = yield* Databases.fresh
        const { state, store } = opened
        const record = new ThreadRecord(threadId)
        yield* store.commit([record.step([created, ...events(3)])])
        const before = record.view!
        const step = record.step(events(50))
        const mend = yield* begin(opened)

        const error = yield* Databases.inTime(Effect.flip(store.commit([step])))
        assert.strictEqual(error.reason, reason)
        assert.strictEqual(error.problem.code, "storage")
        assert.isNotEmpty(error.problem.nextSteps)
        assert.deepStrictEqual(yield* Databases.inTime(state.now), { state: "failing", problem: error.problem })
        assert.deepStrictEqual(viewOf((yield* store.load(threadId, everything))!), before)

        yield* mend
        assert.deepStrictEqual(yield* state.now, { state: "ok" })
        yield* store.commit([step])
        assert.deepStrictEqual(viewOf((yield* store.load(threadId, everything))!), record.view)
      })
  )

  it.live("a fold that the full disk refuses leaves the log in its place", () =>
    Effect.gen(function* () {
      const opened = yield* Databases.fresh
      const { sql, store } = opened
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, ...events(100)])])
      const [row] = yield* sql<{ readonly page_count: number }>`PRAGMA page_count`
      yield* sql.unsafe(`PRAGMA max_page_count = ${row?.page_count}`)
      const fold = record.fold()
      assert.strictEqual((yield* Effect.flip(store.fold(fold))).reason, "full")
      const loaded = yield* store.load(threadId, everything)
      assert.isUndefined(loaded?.folded)
      assert.deepStrictEqual(viewOf(loaded!), record.view)
      yield* sql`PRAGMA max_page_count = 4294967294`
      yield* store.fold(fold)
      assert.deepStrictEqual(viewOf((yield* store.load(threadId, everything))!), record.view)
    })
  )

  it.live("because of a short lock, a step waits, and what is read does not", () =>
    Effect.gen(function* () {
      const { file, state, store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created])])
      const holder = new DatabaseSync(file)
      holder.exec("BEGIN IMMEDIATE")
      const waiting = yield* Effect.forkChild(store.commit([record.step(events(1))]))
      yield* Effect.yieldNow
      assert.strictEqual((yield* store.load(threadId, everything))?.tail.length, 1)
      assert.isUndefined(waiting.pollUnsafe())
      holder.close()
      yield* Fiber.join(waiting)
      assert.strictEqual((yield* store.load(threadId, everything))?.tail.length, 2)
      assert.deepStrictEqual(yield* state.now, { state: "ok" })
    })
  )
})

describe("a step that is refused for what it is", () => {
  it.live("says nothing about the disk", () =>
    Effect.gen(function* () {
      const { state, store } = yield* Databases.fresh
      const step = new ThreadRecord(threadId).step([created])
      yield* store.commit([step])
      yield* Effect.flip(store.commit([step]))
      assert.deepStrictEqual(yield* state.now, { state: "ok" })
    })
  )
})

describe("what people are told", () => {
  const reasons = ["full", "locked", "read-only", "corrupt", "corrupt-thread", "newer", "unwritable", "failed"] as const
  it.each(reasons)("when the database is %s: what, why, where and what to do", (reason) => {
    const error = new StorageError({ reason, path: "/state/signalbox.sqlite", detail: "as SQLite said it" })
    const { cause, code, evidence, nextSteps, title } = error.problem
    assert.strictEqual(code, "storage")
    assert.match(title, /\.$/)
    assert.include(cause, "as SQLite said it")
    assert.strictEqual(evidence.path, "/state/signalbox.sqlite")
    assert.match(nextSteps[0]?.label ?? "", /\.$/)
  })
})
