/** The database file itself: who may read it, what is said of one that can't be used, and its journal. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Backup from "../../src/storage/Backup.ts"
import { storageError } from "../../src/storage/StorageError.ts"
import * as Databases from "../support/Databases.ts"
import { created, threadId, warnings } from "../support/ThreadEvents.ts"
import { ThreadRecord } from "../support/ThreadRecord.ts"

describe("the database file", () => {
  it.live("is for its owner only, in a folder made for its owner only", () =>
    Effect.gen(function* () {
      const file = `${yield* Databases.folder}/deep/state/signalbox.sqlite`
      yield* Databases.open(file)
      const mode = (name: string) => (fs.statSync(name).mode & 0o777).toString(8)
      assert.strictEqual(mode(file), "600")
      assert.strictEqual(mode(`${file}-wal`), "600")
      assert.strictEqual(mode(`${file}-shm`), "600")
      assert.strictEqual(mode(path.dirname(file)), "700")
    })
  )

  it.live("is opened again without being changed", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      yield* Effect.scoped(Databases.open(file))
      const before = fs.readFileSync(file)
      yield* Effect.scoped(Databases.open(file))
      assert.isTrue(before.equals(fs.readFileSync(file)))
      assert.isAbove(Databases.query(file, "SELECT name FROM sqlite_master").length, 5)
    })
  )

  const refused = Effect.fnUntraced(function* (prepare: (file: string) => void) {
    const file = yield* Databases.file
    prepare(file)
    const error = yield* Effect.flip(Effect.scoped(Databases.open(file)))
    assert.include(error.message, file)
    assert.isNotEmpty(error.problem.nextSteps)
    return error.reason
  })

  it.live("gives back at its end what a log took that was folded", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const free = yield* Effect.gen(function* () {
        const { sql } = yield* Databases.open(file)
        yield* sql`CREATE TABLE much (text TEXT)`
        yield* sql`INSERT INTO much VALUES (${"x".repeat(200_000)})`
        yield* sql`DELETE FROM much`
        return (yield* sql`PRAGMA freelist_count`)[0]
      }).pipe(Effect.scoped)
      assert.isAbove(Number(free?.["freelist_count"]), 40)
      assert.deepStrictEqual(Databases.query(file, "PRAGMA freelist_count"), [{ freelist_count: 0 }])
    })
  )

  it.live("that is no database is said to be damaged", () =>
    Effect.gen(function* () {
      const text = "not a database, but long enough to look at".repeat(30)
      assert.strictEqual(yield* refused((file) => fs.writeFileSync(file, text)), "corrupt")
    })
  )

  it.live("that was cut below its journal is said to be damaged, where a text is read that is gone", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const left = yield* Databases.file
      const database = new DatabaseSync(file)
      database.exec("PRAGMA journal_mode = WAL; CREATE TABLE much (text BLOB)")
      database.exec("INSERT INTO much VALUES (zeroblob(400000)); PRAGMA wal_checkpoint(TRUNCATE)")
      database.exec("CREATE TABLE more (text)")
      for (const part of ["", "-wal"]) fs.copyFileSync(`${file}${part}`, `${left}${part}`)
      database.close()
      fs.truncateSync(left, 100_000)
      try {
        Databases.query(left, "SELECT * FROM much")
        assert.fail("It was read.")
      } catch (error) {
        assert.strictEqual(storageError(left)(error).reason, "corrupt")
      }
    })
  )

  it.live("that can't be made is said to be unwritable", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      fs.writeFileSync(file, "")
      const error = yield* Effect.flip(Effect.scoped(Databases.open(`${file}/signalbox.sqlite`)))
      assert.strictEqual(error.reason, "unwritable")
    })
  )

  const inThePlace: Readonly<Record<string, (path: string) => void>> = {
    "a folder": (path) => fs.mkdirSync(path),
    "a link to itself": (path) => fs.symlinkSync(path, path),
    "a pipe": (path) => execFileSync("mkfifo", [path])
  }

  for (const [what, put] of Object.entries(inThePlace))
    it.live(`in whose place, or beside which, is ${what} is refused at once, with the path to move away`, () =>
      Effect.gen(function* () {
        for (const part of ["", "-journal", "-wal", "-shm"]) {
          assert.strictEqual(yield* refused((file) => put(`${file}${part}`)), "not-a-file")
          const file = yield* Databases.file
          if (part !== "") fs.writeFileSync(file, "")
          put(`${file}${part}`)
          // The command doctor inspects the file. It takes a link that leads nowhere for no file.
          const { _tag } = yield* Effect.flip(Backup.inspect(file))
          assert.strictEqual(_tag, part === "" && what.includes("link") ? "BackupRefused" : "StorageError")
        }
      })
    )

  it.effect("that another program holds is said to be locked, after two seconds", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const holder = new DatabaseSync(file)
      holder.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE x (y)")
      const error = yield* Databases.inTime(Effect.flip(Effect.scoped(Databases.open(file))))
      holder.close()
      assert.strictEqual(error.reason, "locked")
      assert.isNotEmpty(error.problem.nextSteps)
    })
  )

  it.live("of a newer version is left alone", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      yield* Effect.scoped(Databases.open(file))
      Databases.meddle(file, "INSERT INTO migrations (migration_id, name) VALUES (999, 'from_the_future')")
      const before = fs.readFileSync(file)
      const error = yield* Effect.flip(Effect.scoped(Databases.open(file)))
      assert.strictEqual(error.reason, "newer")
      assert.include(error.message, "999")
      assert.isTrue(before.equals(fs.readFileSync(file)))
    })
  )
})

describe("the journal", () => {
  const mebibyte = 1024 * 1024

  it.live("stays short however much is written, and is gone when the database is closed", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const record = new ThreadRecord(threadId)
      const first = record.step([created])
      const steps = Array.from({ length: 200 }, (_, step) => warnings(1 + step * 50, 50, "x".repeat(4000)))
      let longest = 0
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { store } = yield* Databases.open(file)
          yield* store.commit([first])
          for (const events of steps) {
            yield* store.commit([{ ...first, events }])
            longest = Math.max(longest, fs.statSync(`${file}-wal`).size)
          }
        })
      )
      assert.isAbove(fs.statSync(file).size, 40 * mebibyte)
      assert.isBelow(longest, 20 * mebibyte)
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), [path.basename(file)])
      assert.deepStrictEqual(Databases.query(file, "SELECT count(*) AS events FROM events"), [{ events: 10_001 }])
    })
  )
})
