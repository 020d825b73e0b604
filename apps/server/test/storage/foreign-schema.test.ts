/** What a database brings along that no Signalbox has made: it never gets to run. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Backup from "../../src/storage/Backup.ts"
import * as ForeignSchema from "../../src/storage/ForeignSchema.ts"
import * as Migrations from "../../src/storage/Migrations.ts"
import * as Databases from "../support/Databases.ts"
import { logging } from "../support/LogLines.ts"
import { created, threadId, warning } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord } from "../support/ThreadRecord.ts"

/** A backup, changed by somebody else, and a state folder to restore it in. */
const changed = Effect.fnUntraced(function* (sql: string) {
  const database = yield* Databases.file
  yield* Effect.gen(function* () {
    const { store } = yield* Databases.open(database)
    yield* store.commit([new ThreadRecord(threadId).step([created])])
  }).pipe(Effect.scoped)
  const source = path.join(yield* Databases.folder, "copy")
  yield* Backup.backup(database, source)
  Databases.meddle(source, sql)
  return { database, source, stateDirectory: path.dirname(database) }
})

const schemaOf = (file: string) =>
  Databases.query(file, "SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").map(
    ({ name, type }) => `${String(type)} ${String(name)}`
  )

const wipe = "CREATE TRIGGER wipe AFTER INSERT ON events BEGIN DELETE FROM threads; END;"

describe("a database that was restored", () => {
  it.live("has no triggers, views, virtual tables, tables and indices but ours", () =>
    Effect.gen(function* () {
      const restoring = yield* changed(
        `${wipe}
         CREATE TRIGGER "a "" quoted; name" BEFORE UPDATE ON threads BEGIN SELECT 1; END;
         CREATE VIEW spy AS SELECT payload FROM events;
         CREATE TRIGGER instead INSTEAD OF INSERT ON spy BEGIN DELETE FROM threads; END;
         CREATE VIRTUAL TABLE search USING fts5 (text);
         CREATE TABLE extra (text TEXT CHECK (length(text) > 0), upper TEXT AS (upper(text)));
         CREATE INDEX slow ON receipts (hex(command_id));
         INSERT INTO extra VALUES ('x');
         ANALYZE;`
      )
      const ours = schemaOf(restoring.database)
      const { dropped = [] } = yield* Backup.restore(restoring)
      assert.deepStrictEqual(schemaOf(restoring.database), ours)
      const words = ForeignSchema.words(dropped)
      assert.include(words, `3 triggers (wipe, a " quoted; name, instead), 1 view (spy), 1 virtual table (search)`)
      assert.match(words, /\d+ tables \(/)
      assert.include(words, "1 index (slow)")
      const { store } = yield* Databases.open(restoring.database)
      const record = new ThreadRecord(threadId)
      record.step([created])
      yield* store.commit([record.step([warning("one")])])
      assert.isDefined(yield* store.load(threadId, everything))
    })
  )

  it.live("is reported by names that are safe to show, and not by all of thousands", () =>
    Effect.gen(function* () {
      const escape = "\u001b]52;c;ZXZpbA==\u0007"
      const restoring = yield* changed(`CREATE VIEW "${escape}safe\n" AS SELECT 1`)
      const hostile = new DatabaseSync(restoring.source)
      hostile.enableDefensive(false)
      hostile.exec(
        `PRAGMA writable_schema = ON;
         WITH numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 19999)
         INSERT INTO sqlite_schema SELECT 'view', 'v' || n, 'v' || n, 0, 'CREATE VIEW v' || n || ' AS SELECT 1' FROM numbers`
      )
      hostile.close()
      const { dropped = [] } = yield* Backup.restore(restoring)
      assert.strictEqual(ForeignSchema.words(dropped), "20001 views (safe, v0, v1, v2, v3, and 19996 more)")
    })
  )

  it.live("is refused where what is ours was altered, and nothing is changed", () =>
    Effect.gen(function* () {
      const receipts = "thread_id TEXT NOT NULL, command_id TEXT NOT NULL, sequence INTEGER NOT NULL"
      const cases = {
        receipts: `DROP TABLE receipts; CREATE TABLE receipts (${receipts}, problem TEXT, at INTEGER NOT NULL CHECK (at < abs(-9223372036854775807)),
          digest TEXT, PRIMARY KEY (thread_id, command_id)) STRICT, WITHOUT ROWID`,
        heads: "ALTER TABLE heads ADD COLUMN hex TEXT AS (hex(payload))",
        items_by_id: "DROP INDEX items_by_id",
        outputs: "ALTER TABLE outputs RENAME TO pieces; CREATE VIEW outputs AS SELECT * FROM pieces"
      }
      for (const [name, sql] of Object.entries(cases)) {
        const restoring = yield* changed(sql)
        const before = fs.readFileSync(restoring.database)
        const refusal = yield* Effect.flip(Backup.restore(restoring))
        assert.strictEqual(refusal._tag, "BackupRefused", name)
        assert.include(refusal.message, name)
        assert.isTrue(before.equals(fs.readFileSync(restoring.database)))
        const left = fs.readdirSync(restoring.stateDirectory).filter((file) => /before|restoring/.test(file))
        assert.deepStrictEqual(left, [])
      }
    })
  )

  it.live("is refused where its shape is made up", () =>
    Effect.gen(function* () {
      for (const sql of ["DELETE FROM migrations", "UPDATE migrations SET migration_id = migration_id - 90"]) {
        const refusal = yield* Effect.flip(Backup.restore(yield* changed(sql)))
        assert.strictEqual(refusal._tag, "BackupRefused", sql)
      }
    })
  )

  it.live("is taken as it is in every shape that there was", () =>
    Effect.gen(function* () {
      for (let shape = 1; shape <= Migrations.latest; shape++) {
        const schema = yield* Migrations.schemaAt(shape)
        const source = path.join(yield* Databases.folder, "old")
        Databases.meddle(source, schema.map(({ sql }) => `${sql};`).join("\n"))
        for (let id = 1; id <= shape; id++)
          Databases.meddle(source, `INSERT INTO migrations (migration_id, name) VALUES (${id}, 'step')`)
        const stateDirectory = yield* Databases.folder
        const database = path.join(stateDirectory, "signalbox.sqlite")
        assert.deepStrictEqual(yield* Backup.restore({ source, stateDirectory, database }), {})
      }
    })
  )
})

describe("a database that is opened", () => {
  it.live("loses its triggers before anything is written, and the log says so", () =>
    Effect.gen(function* () {
      const { source } = yield* changed(wipe)
      const record = new ThreadRecord(threadId)
      const { lines } = yield* logging(
        Effect.gen(function* () {
          const { store } = yield* Databases.open(source)
          record.step([created])
          yield* store.commit([record.step([warning("one")])])
          assert.isDefined(yield* store.load(threadId, everything))
        }).pipe(Effect.scoped)
      )
      assert.deepStrictEqual(lines, ["Dropped from the database what Signalbox did not make: 1 trigger (wipe)."])
      assert.deepStrictEqual(Databases.query(source, "SELECT name FROM sqlite_schema WHERE type = 'trigger'"), [])
    })
  )

  it.live("keeps those of a newer version, as all else of it", () =>
    Effect.gen(function* () {
      const { source } = yield* changed(`${wipe} INSERT INTO migrations (migration_id, name) VALUES (999, 'later')`)
      const { reason } = yield* Effect.flip(Effect.scoped(Databases.open(source)))
      assert.strictEqual(reason, "newer")
      assert.strictEqual(Databases.query(source, "SELECT name FROM sqlite_schema WHERE type = 'trigger'").length, 1)
    })
  )
})
