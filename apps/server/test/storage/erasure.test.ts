/** Traces: copies of rows that SQLite leaves within pages, and that only a file that was written anew does not hold. */
import { ThreadId } from "@signalbox/contracts/Ids"
import { Random } from "@signalbox/stand-in-agents/cursor/Random"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import * as Backup from "../../src/storage/Backup.ts"
import * as Erasure from "../../src/storage/Erasure.ts"
import * as Databases from "../support/Databases.ts"
import { created } from "../support/ThreadEvents.ts"
import { ThreadRecord } from "../support/ThreadRecord.ts"

const deleter = fileURLToPath(new URL("support/deleter.ts", import.meta.url))

const count = 400
const idOf = (index: number) => ThreadId.make(`thread ${String((index * 37) % count).padStart(3, "0")}`)
const wordOf = (index: number) => `the words of ${index};`

/** The list of threads, grown as their rows do: pages are split and evened out again and again. Who of them is to go. */
const grown = Effect.fnUntraced(function* ({ sql }: Databases.Opened, seed: number) {
  const random = new Random(seed)
  yield* sql.withTransaction(
    Effect.gen(function* () {
      for (let index = 0; index < count; index++)
        yield* sql`INSERT INTO threads (thread_id, summary, provider_options) VALUES (${idOf(index)}, '{}', '{}')`
      for (let round = 1; round <= 6; round++)
        for (let index = 0; index < count; index++) {
          const length = seed === 0 ? round * 300 : random.between(1, 1800)
          const words = wordOf(index).repeat(Math.ceil(length / 16))
          yield* sql`UPDATE threads SET summary = ${words} WHERE thread_id = ${idOf(index)}`
        }
    })
  )
  return [...new Set(Array.from({ length: 150 }, () => random.between(0, count - 1)))]
})

const tracesIn = (file: string, indices: ReadonlyArray<number>): ReadonlyArray<string> =>
  ["", "-wal"]
    .filter((part) => fs.existsSync(`${file}${part}`))
    .flatMap((part) => {
      const bytes = fs.readFileSync(`${file}${part}`)
      return indices.map(wordOf).filter((words) => bytes.includes(words))
    })

/** How often the file was written anew: each time its schema gets another number. */
const rewrites = (file: string): number => Number(Databases.query(file, "PRAGMA schema_version")[0]?.["schema_version"])

const owed = (file: string): ReadonlyArray<unknown> => Databases.query(file, "SELECT number FROM erasures")

describe("threads that are deleted", () => {
  for (const seed of [0, 1, 2])
    it.live(`leave no copy of a row within a page: sizes ${seed}`, () =>
      Effect.gen(function* () {
        const opened = yield* Databases.fresh
        const gone = yield* grown(opened, seed)
        const before = rewrites(opened.file)
        yield* Effect.forEach(gone, (index) => opened.store.remove(idOf(index)), { concurrency: "unbounded" })
        assert.deepStrictEqual(tracesIn(opened.file, gone), [])
        assert.isAtMost(rewrites(opened.file) - before, 3)
        assert.deepStrictEqual(owed(opened.file), [])
        assert.lengthOf(yield* opened.store.summaries, count - gone.length)
        assert.deepStrictEqual(Databases.query(opened.file, "PRAGMA integrity_check"), [{ integrity_check: "ok" }])
      })
    )

  it.live("are reported as gone one by one, each only when its own words are", () =>
    Effect.gen(function* () {
      const opened = yield* Databases.fresh
      const gone = yield* grown(opened, 0)
      const remains = yield* Effect.forEach(
        gone.slice(0, 20),
        (index) => Effect.map(opened.store.remove(idOf(index)), () => tracesIn(opened.file, [index])),
        { concurrency: 7 }
      )
      assert.deepStrictEqual(remains.flat(), [])
    })
  )

  it.live("make those who write wait, and fail none of them", () =>
    Effect.gen(function* () {
      const opened = yield* Databases.fresh
      const gone = yield* grown(opened, 0)
      const record = new ThreadRecord(ThreadId.make("busy"))
      const other = { ...created, threadId: record.threadId }
      const writing = yield* Effect.forkChild(
        Effect.gen(function* () {
          yield* opened.store.commit([record.step([other])])
          for (let step = 0; step < 200; step++) yield* opened.store.fold(record.fold())
        })
      )
      yield* Effect.forEach(gone.slice(0, 20), (index) => opened.store.remove(idOf(index)), { concurrency: 3 })
      yield* Fiber.join(writing)
      assert.deepStrictEqual(tracesIn(opened.file, gone.slice(0, 20)), [])
    })
  )

  it.live("leave none to a backup either, even before the file was written anew", () =>
    Effect.gen(function* () {
      const opened = yield* Databases.fresh
      const gone = yield* grown(opened, 0)
      for (const index of gone) yield* opened.sql`DELETE FROM threads WHERE thread_id = ${idOf(index)}`
      assert.isNotEmpty(tracesIn(opened.file, gone))
      const copy = `${path.dirname(opened.file)}/copy.sqlite`
      yield* Backup.backup(opened.file, copy)
      assert.deepStrictEqual(tracesIn(copy, gone), [])
    })
  )
})

describe("a rewrite that is owed", () => {
  it.live("since the server was killed after the deletion is made by the next one, before anybody uses it", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const gone = yield* Effect.scoped(Effect.flatMap(Databases.open(file), (opened) => grown(opened, 0)))
      const child = spawn(process.execPath, [deleter, file, ...gone.map(idOf)], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      yield* Effect.promise(() => once(child, "exit"))
      assert.strictEqual(child.signalCode, "SIGKILL")
      assert.isNotEmpty(owed(file))
      assert.isNotEmpty(tracesIn(file, gone))
      const { store } = yield* Databases.open(file)
      assert.deepStrictEqual(tracesIn(file, gone), [])
      assert.deepStrictEqual(owed(file), [])
      assert.lengthOf(yield* store.summaries, count - gone.length)
    })
  )

  it.live("since it would hold up writers for long is made at the end", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const gone = yield* Effect.gen(function* () {
        const opened = yield* Databases.open(file)
        const gone = yield* grown(opened, 0)
        const before = rewrites(file)
        yield* Effect.forEach(gone, (index) => opened.store.remove(idOf(index)), { concurrency: "unbounded" })
        assert.strictEqual(rewrites(file), before)
        assert.isNotEmpty(owed(file))
        return gone
      }).pipe(Effect.provideService(Erasure.AtOnce, 100_000), Effect.scoped)
      assert.deepStrictEqual(tracesIn(file, gone), [])
      assert.deepStrictEqual(owed(file), [])
    })
  )

  it.live("since another program had the file open is made at the end, and the deletion stands", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const gone = yield* Effect.gen(function* () {
        const opened = yield* Databases.open(file)
        const gone = yield* grown(opened, 0)
        const reader = new DatabaseSync(file, { readOnly: true })
        reader.exec("BEGIN")
        reader.prepare("SELECT count(*) FROM threads").get()
        yield* Effect.forEach(gone, (index) => opened.store.remove(idOf(index)), { concurrency: "unbounded" })
        assert.lengthOf(yield* opened.store.summaries, count - gone.length)
        reader.close()
        assert.isNotEmpty(owed(file))
        return gone
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(tracesIn(file, gone), [])
      assert.deepStrictEqual(owed(file), [])
    })
  )
})
