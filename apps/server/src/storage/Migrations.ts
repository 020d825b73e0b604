/** Brings the database to the shape that this version works with, before anything else reads it. */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import threads from "./Migrations/0001_threads.ts"
import folding from "./Migrations/0002_folding.ts"
import erasures from "./Migrations/0003_erasures.ts"
import rememberedSettings from "./Migrations/0004_remembered_settings.ts"
import toolItemIds from "./Migrations/0005_tool_item_ids.ts"
import turnTotals from "./Migrations/0006_turn_totals.ts"
import refusedCalls from "./Migrations/0007_refused_calls.ts"
import drafts from "./Migrations/0008_drafts.ts"
import * as ForeignSchema from "./ForeignSchema.ts"
import { memory, Sqlite, whileLocked } from "./Sqlite.ts"
import { StorageError, storageError } from "./StorageError.ts"

/** Never edited once released: a change of shape is a further entry. */
const migrations = {
  "0001_threads": threads,
  "0002_folding": folding,
  "0003_erasures": erasures,
  "0004_remembered_settings": rememberedSettings,
  "0005_tool_item_ids": toolItemIds,
  "0006_turn_totals": turnTotals,
  "0007_refused_calls": refusedCalls,
  "0008_drafts": drafts
}

/** The table with the numbers of the migrations that a database has had. */
export const table = "migrations"
/** The number of the shape that this version works with. */
export const latest = Object.keys(migrations).length

/** The error for a database with a newer shape than this version knows. */
export const newer = (path: string, shape: number): StorageError =>
  new StorageError({
    reason: "newer",
    path,
    detail: `it has the shape number ${shape}, and this version knows ${latest}`
  })

/** The schema that our migrations alone give a database of this shape. */
export const schemaAt = Effect.fn("Migrations.schemaAt")(
  function* (shape: number) {
    const { client, database } = yield* memory
    const steps = Object.fromEntries(Object.entries(migrations).slice(0, shape))
    yield* Migrator.make({})({ loader: Migrator.fromRecord(steps), table }).pipe(
      Effect.provideService(SqlClient.SqlClient, client)
    )
    return ForeignSchema.read(database)
  },
  Effect.scoped,
  Effect.mapError(storageError(":memory:"))
)

const shapeIn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM ${sql(table)}`
  return rows[0]?.id ?? 0
})

/**
 * Drops all triggers. Signalbox has none, and a foreign one would run at our writes. A newer database is not changed at
 * all.
 */
const dropTriggers = Effect.gen(function* () {
  const { prepare, transaction } = yield* Sqlite
  const sql = yield* SqlClient.SqlClient
  const triggers =
    yield* sql<ForeignSchema.SchemaEntry>`SELECT rowid AS place, type, name, sql FROM sqlite_schema WHERE type = 'trigger'`
  if (triggers.length === 0 || (yield* Effect.orElseSucceed(shapeIn, () => 0)) > latest) return
  const drops = yield* Effect.forEach(triggers, ({ name }) =>
    prepare(`DROP TRIGGER IF EXISTS main."${name.replaceAll('"', '""')}"`)
  )
  yield* transaction(() => drops.forEach((drop) => drop.run()), { durable: true })
  yield* Effect.logWarning(`Dropped from the database what Signalbox did not make: ${ForeignSchema.words(triggers)}.`)
})

/** Migrates the database. Refuses one that a newer version has migrated. */
export const migrate = Effect.gen(function* () {
  const { path } = yield* Sqlite
  yield* dropTriggers
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
  const found = yield* shapeIn
  if (found > latest) return yield* newer(path, found)
}).pipe(
  Effect.catch((error) => Effect.flatMap(Sqlite, ({ path }) => Effect.fail(storageError(path)(error)))),
  Effect.retry(whileLocked),
  Effect.withSpan("Migrations.migrate")
)
